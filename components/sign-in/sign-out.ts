import { notifyError } from "../ui/notify";
import { callAuth } from "./call-auth";

/** Ends the session of this browser, and goes to the sign-in page. */
export async function signOut(): Promise<void> {
  try {
    await callAuth("sign-out", {});
    window.location.assign("/sign-in");
  } catch (error) {
    notifyError(error);
  }
}
