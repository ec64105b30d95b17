"use client";
import { Button } from "@mantine/core";
import { SecondFactors } from "../settings/second-factors";
import { Note } from "../ui/note";
import { callAuth } from "./call-auth";
import { WhoItIsDialog } from "./who-it-is-dialog";

/** Lets whoever lacks a second factor set one up, and goes on. */
export function MissingSecondFactor({ email, accountName }: { email: string; accountName: string }) {
  const leave = async () => {
    await callAuth("sign-out", {}).catch(() => {});
    window.location.assign("/sign-in");
  };
  return (
    <Note title="One more step" withMark>
      <p>
        {accountName} requires two-factor authentication. Set up a passkey or an authenticator app. A passkey
        is easier.
      </p>
      <SecondFactors onAdded={() => window.location.assign("/")} />
      <Button variant="subtle" mt="md" onClick={leave}>
        Sign out
      </Button>
      <WhoItIsDialog email={email} />
    </Note>
  );
}
