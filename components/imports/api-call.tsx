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
      <Modal opened={call !== null} onClose={() => setCall(null)} title="The same as an API call" size="lg">
        <Text c="dimmed" mb="sm">
          One call takes up to 100 people, and adds all of them or nobody: it is rejected as a whole when one
          of them is here already. Put a key of this newsletter in place of <code>sk_…</code>.
        </Text>
        {call && <Code label="A call with curl">{call}</Code>}
      </Modal>
    </>
  );
}
