import { ConfirmEmail } from "@/components/sign-in/confirm-email";
import { Note } from "@/components/ui/note";
import { readConfirmEmailLink } from "@/server/trpc/signed-in";

export const metadata = { title: "Confirm your address" };

export default async function ConfirmEmailPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const found = await readConfirmEmailLink(token);
  if (found) return <ConfirmEmail token={token} email={found.email} />;
  return (
    <Note title="This link no longer works">
      <p>It was already used or has expired. Your sign-in address has not changed.</p>
      <p>
        <a href="/">Open Rollcall</a>
      </p>
    </Note>
  );
}
