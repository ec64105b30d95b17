"use client";
import { Note } from "../ui/note";
import { SignInSteps } from "./sign-in-steps";

/** Sign-in for staff. */
export function SignInForm({ next }: { next: string }) {
  return (
    <Note title="Sign in to Rollcall" withMark>
      {/* A whole new page: nothing that was read before belongs to whoever is signed in now. */}
      <SignInSteps submit="Sign in" onSignedIn={() => window.location.assign(next)} />
      <p>No account yet? An owner of it can send you an invitation.</p>
    </Note>
  );
}
