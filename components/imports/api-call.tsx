import { Anchor, Modal, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Code } from "../ui/copy";
import { maxSubscribersPerCall } from "./reading/bulk-curl";
import type { List } from "./use-list";

/** Shows the API call that adds the same people. */
export default function ApiCall({ list }: { list: List }) {
  const t = useTranslations("imports.apiCall");
  const [call, setCall] = useState<string | null>(null);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={async () => setCall(await list.session.apiCall())}
      >
        {t("show")}
      </Anchor>
      <Modal opened={call !== null} onClose={() => setCall(null)} title={t("title")} size="lg">
        <Text c="dimmed" mb="sm">
          {t.rich("text", { most: maxSubscribersPerCall, code: (chunks) => <code>{chunks}</code> })}
        </Text>
        {call && <Code label={t("example")}>{call}</Code>}
      </Modal>
    </>
  );
}
