"use client";
import { Button, Stack } from "@mantine/core";
import { saveFile } from "../people/export";
import { Code } from "../ui/copy";
import { Dialog } from "../ui/dialog";

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const text = codes.join("\n");
  return (
    <Dialog onClose={onClose} title="Your recovery codes" closeOnClickOutside={false}>
      <Stack>
        <p>
          Store these codes where you can find them without your phone. Each code works once instead of an app
          code. They are not shown again.
        </p>
        <Code label="Recovery codes">{text}</Code>
        <Button variant="default" onClick={() => saveFile("rollcall-recovery-codes.txt", "text/plain", text)}>
          Save as a file
        </Button>
        <Button onClick={onClose}>I have saved them</Button>
      </Stack>
    </Dialog>
  );
}
