import { JoinForm } from "@/components/sign-in/join-form";
import { Note } from "@/components/ui/note";
import { readInvitation } from "@/server/trpc/signed-in";

export const metadata = { title: "Join" };

export default async function Join({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const invitation = await readInvitation(token);
  if (!invitation) {
    return (
      <Note title="This invitation is closed">
        <p>
          It has been used, withdrawn, or is more than a week old. Ask whoever invited you for another one.
        </p>
        <p>
          <a href="/sign-in">Sign in</a>
        </p>
      </Note>
    );
  }
  return <JoinForm token={token} invitation={invitation} />;
}
