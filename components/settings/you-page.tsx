"use client";
import { OwnAccount } from "./own-account";
import { PasswordForm } from "./password-form";
import { SecondFactors } from "./second-factors";
import { Sessions } from "./sessions";

/** How one signs in, and what one is mailed. */
export function YouPage() {
  return (
    <>
      <OwnAccount />
      <h2>Password</h2>
      <PasswordForm />
      <h2>Second factor</h2>
      <SecondFactors />
      <Sessions />
    </>
  );
}
