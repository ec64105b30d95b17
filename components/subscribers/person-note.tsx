"use client";
import { Box, Button, Group, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api, messageFor, type Outputs, rejectionOf } from "../trpc";
import { Form, Problem, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { Time } from "../ui/time";
import styles from "./people.module.css";

type Note = Outputs["people"]["get"]["note"];
type Props = { id: string; note: Note };

/** An internal note of staff about a person. */
export function PersonNote({ id, note }: Props) {
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

/** Edits the note. After another staff member's edit, the form shows that edit before anything is saved. */
function NoteForm({ id, note, onClose }: Props & { onClose(): void }) {
  const t = useTranslations("people.note");
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const save = api.people.saveNote.useMutation();
  const [read, setRead] = useState(note);
  const [clash, setClash] = useState<string | null>(null);
  const form = useServerForm({ text: note?.text ?? "" }, async ({ text }) => {
    try {
      await save.mutateAsync({ newsletterId, id, version: read?.version ?? 0, text });
    } catch (error) {
      const message = messageFor(rejectionOf(error), "version");
      if (!message) throw error;
      setRead((await utils.people.get.fetch({ newsletterId, id }, { staleTime: 0 })).note);
      return setClash(message);
    }
    notify(text.trim() === "" ? t("removed") : t("saved"));
    onClose();
  });
  return (
    <Box mt="lg">
      <Form form={form} submit={clash ? t("saveMine") : t("save")} atEnd onCancel={onClose}>
        <Textarea
          label={t("title")}
          autosize
          minRows={3}
          maxRows={14}
          autoFocus
          {...form.getInputProps("text")}
        />
        {clash && (
          <Problem>
            {clash} {t("theirVersion")}
          </Problem>
        )}
        {clash && read && (
          <blockquote className={styles.theirs}>
            <p className={styles.noteText}>{read.text || t("theyRemoved")}</p>
            <Written note={read} />
          </blockquote>
        )}
      </Form>
    </Box>
  );
}
