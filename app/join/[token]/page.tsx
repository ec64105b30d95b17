import { JoinForm } from "@/components/sign-in/join-form";
import { textsOfRequest, titledBy } from "@/components/texts/of-request";
import { Note } from "@/components/ui/note";
import { readInvitation } from "@/server/trpc/viewer";

export const generateMetadata = titledBy("titles.join");

export default async function Join({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const invitation = await readInvitation(token);
  if (!invitation) {
    const t = await textsOfRequest("app");
    return (
      <Note title={t("deadInvitation.title")} link={["/sign-in", t("deadInvitation.signIn")]}>
        <p>{t("deadInvitation.text")}</p>
      </Note>
    );
  }
  return <JoinForm token={token} invitation={invitation} />;
}
