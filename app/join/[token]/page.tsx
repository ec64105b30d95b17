import { JoinForm } from "@/components/sign-in/join-form";
import { Note } from "@/components/ui/note";
import { readInvitation } from "@/server/trpc/signed-in";

export const metadata = { title: "Join" };

export default async function Join({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const invitation = await readInvitation(token);
  if (!invitation) {
    return (
      <Note title="This invitation no longer works">
        <p>It was already used, withdrawn or has expired. Ask an owner of the account for a new one.</p>
        <p>
          <a href="/sign-in">Sign in</a>
        </p>
      </Note>
    );
  }
  return <JoinForm token={token} invitation={invitation} />;
}
