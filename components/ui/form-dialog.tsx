import type { ComponentProps } from "react";
import { Dialog } from "./dialog";
import { Form } from "./form";

type Props = ComponentProps<typeof Form> & { title: string; onClose(): void };

/** A form in a dialog. */
export function FormDialog({ title, onClose, ...form }: Props) {
  return (
    <Dialog onClose={onClose} title={title}>
      <Form atEnd {...form} />
    </Dialog>
  );
}
