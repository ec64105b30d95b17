import { textsOfRequest, titledBy } from "@/components/texts/of-request";
import { Note } from "@/components/ui/note";

export const generateMetadata = titledBy("notFound.pageTitle");

export default async function NotFound() {
  const t = await textsOfRequest("app");
  return (
    <Note title={t("notFound.title")} link={["/", t("notFound.home")]}>
      <p>{t("notFound.text")}</p>
    </Note>
  );
}
