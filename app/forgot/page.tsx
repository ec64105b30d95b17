import { ForgotForm } from "@/components/sign-in/forgot-form";
import { Note } from "@/components/ui/note";
import { mailsLeave } from "@/server/trpc/signed-in";
import { adminCommand } from "@/server/version";

// Asked anew each time: whether mail leaves is a setting of the process that answers.
export const dynamic = "force-dynamic";
export const metadata = { title: "Forgot your password?" };

export default async function Forgot() {
  if (await mailsLeave()) return <ForgotForm />;
  return (
    <Note title="Forgot your password?">
      <p>
        This Rollcall sends no email, so it can’t send you a link. Your operator can set a new password with{" "}
        <code>{adminCommand} staff reset --email YOUR-ADDRESS</code>.
      </p>
      <p>
        <a href="/sign-in">Sign in</a>
      </p>
    </Note>
  );
}
