import { Anchor, Modal, Text } from "@mantine/core";
import { useState } from "react";
import { Code } from "../ui/copy";
import type { List } from "./use-list";

/** The same people, as a program would add them. */
export default function ApiCall({ list }: { list: List }) {
  const [call, setCall] = useState<string | null>(null);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={async () => setCall(await list.session.apiCall())}
      >
        Show as an API call
      </Anchor>
      <Modal opened={call !== null} onClose={() => setCall(null)} title="API call" size="lg">
        <Text c="dimmed" mb="sm">
          One call adds up to 100 people. If one of them is already on the list, none are added. Replace{" "}
          <code>sk_…</code> with a key of this newsletter.
        </Text>
        {call && <Code label="curl example">{call}</Code>}
      </Modal>
    </>
  );
}
