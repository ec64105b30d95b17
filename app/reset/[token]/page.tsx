import { ResetForm } from "@/components/sign-in/reset-form";
import { Note } from "@/components/ui/note";
import { readResetLink } from "@/server/trpc/signed-in";

export const metadata = { title: "Choose a new password" };

export default async function Reset({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const found = await readResetLink(token);
  if (found) return <ResetForm token={token} email={found.email} />;
  return (
    <Note title="This link no longer works">
      <p>It was already used or has expired. Your password has not changed.</p>
      <p>
        <a href="/forgot">Request a new link</a>
      </p>
    </Note>
  );
}
