import { ActionIcon, Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { BulkChangeForm, type BulkChangeKind } from "../bulk-actions/bulk-change-form";
import { ForgetChoice } from "../bulk-actions/forget-choice";
import { useBulkAction } from "../bulk-actions/use-bulk-action";
import { useCopyLink } from "../mail/use-copy-link";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { useCopyText } from "../ui/copy";
import { Menu } from "../ui/floating";
import { icons } from "../ui/icons";
import { notifyError, notifying } from "../ui/notify";
import { saveFile } from "../ui/save-file";
import { OfferItems, offersOf, useOffers, useVerbLabel } from "../ui/verbs";

type Props = Pick<Outputs["people"]["get"], "person" | "asked"> & {
  onEdit(): void;
  onClose(): void;
};

/** One person's actions: buttons, a menu and ⌘K entries. Viewers get none. */
export function PersonActions({ person, asked, onEdit, onClose }: Props) {
  const t = useTranslations("people.person");
  const copyText = useCopyText();
  const { mayEdit, mayExport, sends } = useViewer();
  const copyLink = useCopyLink();
  const exportAll = useExportOfPerson(person);
  const [erasing, setErasing] = useState(false);
  const [changing, setChanging] = useState<BulkChangeKind | null>(null);
  const { start } = useBulkAction();
  const verbLabel = useVerbLabel();
  const { email, status } = person;
  const target = { ids: [person.id] };
  const again = useAskAgain(person);
  const canResend = mayEdit && status === "pending" && !person.suppression;

  const buttons = offersOf([
    canResend && again.wait === null && { verb: "ask", run: again.ask },
    mayEdit && { verb: "edit", run: onEdit },
  ]);
  const unsubscribe = () =>
    void start("unsubscribe", target, t("unsubscribed", { email })).catch(notifyError);
  const others = offersOf([
    { verb: "copyAddress", run: () => void copyText(email, t("copied", { text: email })) },
    { verb: "copyId", run: () => void copyText(person.id, t("copied", { text: person.id })) },
    mayEdit && !sends && asked?.state === "logged" && { verb: "copyLink", run: () => copyLink(asked.id) },
    { verb: "exportPerson", run: () => void exportAll().catch(notifyError) },
    mayEdit && { verb: "tag", run: () => setChanging("tag") },
    mayEdit && person.tags.length > 0 && { verb: "untag", run: () => setChanging("untag") },
    mayEdit && status !== "unsubscribed" && { verb: "unsubscribe", run: unsubscribe },
    mayEdit && { verb: "erase", run: () => setErasing(true) },
  ]);
  useOffers(email, mayExport ? [...buttons, ...others] : []);
  if (!mayExport) return null;

  return (
    <Group gap="xs" mt="md">
      {canResend && (
        <Button loading={again.busy} disabled={again.wait !== null} onClick={again.ask}>
          {again.wait ?? verbLabel("ask")}
        </Button>
      )}
      {mayEdit && (
        <Button variant="default" onClick={onEdit}>
          {verbLabel("edit")}
        </Button>
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={t("moreActions")}>
            <icons.more />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <OfferItems offers={others} />
        </Menu.Dropdown>
      </Menu>
      {changing && (
        <BulkChangeForm kind={changing} target={target} selected={1} onClose={() => setChanging(null)} />
      )}
      {erasing && (
        <EraseQuestion
          person={person}
          onClose={() => setErasing(false)}
          onErase={async (kind) => {
            await start(kind, target, t("erased", { email }));
            onClose();
          }}
        />
      )}
    </Group>
  );
}

/** Sends a person another confirmation email. `wait` is the reason why none can be sent yet, or null. */
function useAskAgain({ id, email, asking }: Props["person"]) {
  const t = useTranslations("people.askAgain");
  const { newsletterId, sends } = useViewer();
  const done = sends ? t("queued", { email }) : t("stored", { email });
  const ask = api.people.askAgain.useMutation(notifying(done));
  const waits = { on_its_way: t("onItsWay"), asked_often: t("often"), asked_lately: t("justNow") };
  return {
    wait: asking && asking in waits ? waits[asking as keyof typeof waits] : null,
    busy: ask.isPending,
    ask: () => ask.mutate({ newsletterId, id }),
  };
}

/** Downloads all data about a person as a file. */
function useExportOfPerson({ id, email }: Props["person"]) {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  return async () => {
    const everything = await utils.client.people.exportPerson.mutate({ newsletterId, id });
    saveFile(`${email}.json`, "application/json", `${JSON.stringify(everything, null, 2)}\n`);
  };
}

type EraseProps = Pick<Props, "person" | "onClose"> & {
  onErase(kind: "erase" | "forget"): Promise<void>;
};

function EraseQuestion({ person, onErase, onClose }: EraseProps) {
  const t = useTranslations("people.person");
  const [forget, setForget] = useState(false);
  return (
    <Confirm
      title={t("eraseTitle", { email: person.email })}
      action={t("eraseAction")}
      danger
      guarded
      onConfirm={() => onErase(forget ? "forget" : "erase")}
      onClose={onClose}
    >
      <p>{t("eraseText")}</p>
      <ForgetChoice
        forget={forget}
        onChange={setForget}
        left={person.unsubscribedAt !== null || person.suppression !== null}
      />
    </Confirm>
  );
}
