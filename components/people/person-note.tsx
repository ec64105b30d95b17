"use client";
import { Box, Button, Group, Textarea } from "@mantine/core";
import { useState } from "react";
import { useViewer } from "../shell/viewer";
import { api, messageFor, type Outputs, rejectionOf } from "../trpc";
import { Form, Problem, useServerForm } from "../ui/form";
import kit from "../ui/kit.module.css";
import { notify } from "../ui/notify";
import { Time } from "../ui/time";
import styles from "./people.module.css";

type Note = Outputs["people"]["get"]["note"];
type Props = { id: string; note: Note };

/** What staff write about a person for each other. */
export function PersonNote({ id, note }: Props) {
  const { mayEdit } = useViewer();
  const [editing, setEditing] = useState(false);
  const written = note !== null && note.text !== "";
  if (editing) return <NoteForm id={id} note={note} onClose={() => setEditing(false)} />;
  const edit = (
    <Button variant={written ? "subtle" : "default"} size="compact-sm" onClick={() => setEditing(true)}>
      {written ? "Edit note" : "Add a note"}
    </Button>
  );
  if (!written) return mayEdit && <Box mt="lg">{edit}</Box>;
  return (
    <section aria-label="Note">
      <Group justify="space-between" mt="xl" mb="xs">
        <h2>Note</h2>
        {mayEdit && edit}
      </Group>
      <p className={styles.noteText}>{note.text}</p>
      <Written note={note} />
    </section>
  );
}

/** Who wrote it, and when. */
const Written = ({ note: { changedBy, changedAt } }: { note: NonNullable<Note> }) => (
  <p className={kit.quiet}>
    {changedBy ?? "Former staff member"}, <Time at={changedAt} />
  </p>
);

/** Writes the note; when somebody else has changed it meanwhile, theirs is shown and nothing is saved before that. */
function NoteForm({ id, note, onClose }: Props & { onClose(): void }) {
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
    notify(text.trim() === "" ? "Note removed." : "Note saved.");
    onClose();
  });
  return (
    <Box mt="lg">
      <Form
        form={form}
        submit={clash ? "Save mine instead" : "Save note"}
        atEnd
        actions={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <Textarea label="Note" autosize minRows={3} maxRows={14} autoFocus {...form.getInputProps("text")} />
        {clash && <Problem>{clash} Their version:</Problem>}
        {clash && read && (
          <blockquote className={styles.theirs}>
            <p className={styles.noteText}>{read.text || "They removed the note."}</p>
            <Written note={read} />
          </blockquote>
        )}
      </Form>
    </Box>
  );
}
