"use client";
import { Button, Modal, Stack } from "@mantine/core";
import { useEffect, useState } from "react";
import { SignInSteps } from "./sign-in-steps";
import { setWhoItIsDialog } from "./who-it-is";

/** Asks whoever is signed in to sign in again, where `askWhoItIs` is called. */
export function WhoItIsDialog({ email }: { email: string }) {
  const [answer, setAnswer] = useState<((signedIn: boolean) => void) | null>(null);
  useEffect(() => {
    setWhoItIsDialog((answered) => setAnswer(() => answered));
    return () => setWhoItIsDialog(null);
  }, []);
  const finish = (signedIn: boolean) => {
    answer?.(signedIn);
    setAnswer(null);
  };
  return (
    // Often above another dialog: a second header on the page would be one landmark too many.
    <Modal
      opened={answer !== null}
      onClose={() => finish(false)}
      withCloseButton={false}
      aria-label="Is it you?"
    >
      <Stack>
        <h2>Is it you?</h2>
        <p>
          You signed in a while ago. Before this, confirm that it is still <b>{email}</b> who sits here.
        </p>
        <SignInSteps email={email} submit="Confirm" onSignedIn={() => finish(true)} />
        <Button variant="subtle" fullWidth onClick={() => finish(false)}>
          Cancel
        </Button>
      </Stack>
    </Modal>
  );
}
