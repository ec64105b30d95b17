import { ConfirmEmail } from "@/components/sign-in/confirm-email";
import { textsOfRequest, titledBy } from "@/components/texts/of-request";
import { Note } from "@/components/ui/note";
import { readConfirmEmailLink } from "@/server/trpc/viewer";

export const generateMetadata = titledBy("titles.confirmEmail");

export default async function ConfirmEmailPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const found = await readConfirmEmailLink(token);
  if (found) return <ConfirmEmail token={token} email={found.email} />;
  const t = await textsOfRequest("app");
  return (
    <Note title={t("deadLink.title")} link={["/", t("deadLink.open")]}>
      <p>{t("deadLink.confirmEmail")}</p>
    </Note>
  );
}
