import { ForgotForm } from "@/components/sign-in/forgot-form";
import { textsOfRequest, titledBy } from "@/components/texts/of-request";
import { Note } from "@/components/ui/note";
import { adminCommand } from "@/server/kernel/version";
import { canSendMail } from "@/server/trpc/viewer";

// Rendered for each request: whether email can be sent depends on the process's settings.
export const dynamic = "force-dynamic";
export const generateMetadata = titledBy("titles.forgot");

export default async function Forgot() {
  if (await canSendMail()) return <ForgotForm />;
  const t = await textsOfRequest("app");
  const command = `${adminCommand} staff reset --email ${t("forgot.ownAddress")}`;
  return (
    <Note title={t("forgot.title")} link={["/sign-in", t("forgot.signIn")]}>
      <p>{t.rich("forgot.text", { command, code: (chunks) => <code>{chunks}</code> })}</p>
    </Note>
  );
}
