import { ResetForm } from "@/components/sign-in/reset-form";
import { textsOfRequest, titledBy } from "@/components/texts/of-request";
import { Note } from "@/components/ui/note";
import { readResetLink } from "@/server/trpc/viewer";

export const generateMetadata = titledBy("titles.reset");

export default async function Reset({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const found = await readResetLink(token);
  if (found) return <ResetForm token={token} email={found.email} />;
  const t = await textsOfRequest("app");
  return (
    <Note title={t("deadLink.title")} link={["/forgot", t("deadLink.requestNew")]}>
      <p>{t("deadLink.reset")}</p>
    </Note>
  );
}
