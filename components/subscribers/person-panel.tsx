import { Box, Button, Group, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { suppressionSentences } from "@/server/suppressions/schema/suppression-messages";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, type Outputs } from "../trpc";
import { useConflict } from "../ui/conflict";
import { Form, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { Loaded, POLL_MS } from "../ui/list-page";
import { notify, notifying } from "../ui/notify";
import { type Fact, Facts, focusPanel, SidePanel } from "../ui/side-panel";
import { Banner } from "../ui/states";
import { StatusPill } from "../ui/status-pill";
import { Time } from "../ui/time";
import { useUnsaved } from "../ui/unsaved";
import { TagList, useFields, useValueText } from "./attribute-text";
import styles from "./people.module.css";
import { PersonActions } from "./person-actions";
import { facts, type Person, useShowField } from "./person-fields";
import { PersonForm } from "./person-form";
import { Timeline } from "./timeline";

/** Reasons against another confirmation email that end by themselves within minutes. */
const PASSING = new Set<string | null>(["on_its_way", "asked_lately"]);

type Props = {
  id: string;
  takesFocus: boolean;
  /** The form replaces the facts that it edits. */
  editing: boolean;
  onEdit(editing: boolean): void;
  onClose(): void;
  onStep(by: 1 | -1): void;
};

/** The facts that the panel lists below the name and the address. */
function useFacts(): (person: Person) => Fact[] {
  const t = useTranslations("people");
  const { fields } = useFields();
  const valueText = useValueText();
  const showField = useShowField();
  return (person) => [
    ...facts.map((name): Fact => {
      const isSame = name === "subscribed_at" && person.subscribedAt.getTime() === person.createdAt.getTime();
      return [t(`field.${name}`), isSame ? null : showField(name, person)];
    }),
    ...fields.map((field): Fact => [field.label, valueText(person, field)]),
    [t("field.tags"), person.tags.length > 0 && <TagList tags={person.tags} />],
  ];
}

/** One person beside the list: facts, actions and activity. */
export default function PersonPanel({ id, takesFocus, editing, onEdit, onClose, onStep }: Props) {
  const t = useTranslations("people");
  const { newsletterId } = useViewer();
  const query = api.people.get.useQuery(
    { newsletterId, id },
    // A queued confirmation email is sent without staff action, and a minute later another one is allowed.
    { refetchInterval: ({ state }) => PASSING.has(state.data?.person.asking ?? null) && POLL_MS },
  );
  const factsOf = useFacts();
  return (
    <SidePanel
      label={t("person.label")}
      takesFocus={takesFocus}
      state={query.data && <StatusPill status={query.data.person.status} />}
      onStep={onStep}
      onClose={onClose}
    >
      <Loaded query={query} rows={6}>
        {({ person, asked, note, activities }) => (
          <>
            <div className={styles.person}>
              <h2>{person.name || person.email}</h2>
              {person.name && <p>{person.email}</p>}
            </div>
            {editing ? (
              <PersonForm
                person={person}
                onClose={() => {
                  onEdit(false);
                  // The form had the focus and is gone.
                  focusPanel();
                }}
              />
            ) : (
              <>
                <SuppressionBanner person={person} />
                <PersonActions person={person} asked={asked} onEdit={() => onEdit(true)} onClose={onClose} />
                <Facts
                  facts={[...factsOf(person), [t("field.link"), asked && <LinkState asked={asked} />]]}
                />
              </>
            )}
            <PersonNote id={person.id} note={note} />
            <Box component="h2" mt="xl" mb="sm">
              {t("person.activity")}
            </Box>
            <Timeline activities={activities} />
          </>
        )}
      </Loaded>
    </SidePanel>
  );
}

type Asked = NonNullable<Outputs["people"]["get"]["asked"]>;

const unsentStates = ["waiting", "deferred", "sending", "failed", "cancelled"] as const;

/** Shows the state of the link in a pending person's newest confirmation email. */
function LinkState({ asked: { state, createdAt, linkExpiresAt } }: { asked: Asked }) {
  const t = useTranslations("people.link");
  const times = { asked: () => <Time at={createdAt} />, expires: () => <Time at={linkExpiresAt} /> };
  const unsent = unsentStates.find((known) => known === state);
  if (unsent) return t.rich(`unsent.${unsent}`, times);
  return linkExpiresAt.getTime() < Date.now() ? t.rich("expired", times) : t.rich("open", times);
}

/** Explains a person's suppression and the possible actions. Hidden without a suppression. */
function SuppressionBanner({ person }: { person: Outputs["people"]["get"]["person"] }) {
  const t = useTranslations("people.suppression");
  const { newsletterId, mayEdit } = useViewer();
  const allow = api.people.allowMail.useMutation(notifying(t("allowed", { email: person.email })));
  const { suppression } = person;
  if (!suppression) return null;
  return (
    <Banner
      tone="failed"
      action={
        mayEdit &&
        suppression.reason === "bounced" && (
          <Button
            variant="default"
            loading={allow.isPending}
            onClick={() => allow.mutate({ newsletterId, id: person.id })}
          >
            {t("allow")}
          </Button>
        )
      }
    >
      {fromServer(suppressionSentences[suppression.reason])}{" "}
      {t.rich("reported", { time: () => <Time at={suppression.createdAt} /> })}
    </Banner>
  );
}

type Note = Outputs["people"]["get"]["note"];
type NoteProps = { id: string; note: Note };

/** An internal note of staff about a person. */
function PersonNote({ id, note }: NoteProps) {
  const t = useTranslations("people.note");
  const { mayEdit } = useViewer();
  const [editing, setEditing] = useState(false);
  const written = note !== null && note.text !== "";
  if (editing) return <NoteForm id={id} note={note} onClose={() => setEditing(false)} />;
  const edit = (
    <Button variant={written ? "subtle" : "default"} size="compact-sm" onClick={() => setEditing(true)}>
      {written ? t("edit") : t("add")}
    </Button>
  );
  if (!written) return mayEdit && <Box mt="lg">{edit}</Box>;
  return (
    <section aria-label={t("title")}>
      <Group justify="space-between" mt="xl" mb="xs">
        <h2>{t("title")}</h2>
        {mayEdit && edit}
      </Group>
      <p className={styles.noteText}>{note.text}</p>
      <Written note={note} />
    </section>
  );
}

/** The note's author and time. */
function Written({ note: { changedBy, changedAt } }: { note: NonNullable<Note> }) {
  const t = useTranslations("people.note");
  const name = changedBy ?? t("formerStaff");
  return <p className={kit.quiet}>{t.rich("written", { name, time: () => <Time at={changedAt} /> })}</p>;
}

/** Edits the note. After another staff member's edit, the form shows both versions. */
function NoteForm({ id, note, onClose }: NoteProps & { onClose(): void }) {
  const t = useTranslations("people.note");
  const { newsletterId } = useViewer();
  const { mutateAsync } = api.people.saveNote.useMutation();
  const { opened, isConflict, save } = useConflict(note);
  const form = useServerForm({ text: opened?.text ?? "" }, async ({ text }) => {
    await save((base) => mutateAsync({ newsletterId, id, version: base?.version ?? 0, text }));
    notify(text.trim() === "" ? t("removed") : t("saved"));
    onClose();
  });
  useUnsaved(form.isDirty());
  const theirs = isConflict && note && (
    <>
      <p className={styles.noteText}>{note.text || t("theyRemoved")}</p>
      <Written note={note} />
    </>
  );
  return (
    <Box mt="lg">
      <Form form={form} submit={t("save")} theirs={theirs} atEnd onCancel={onClose}>
        <Textarea {...form.input("text", t("title"))} minRows={3} maxRows={14} autoFocus />
      </Form>
    </Box>
  );
}
