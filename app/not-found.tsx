import { textsOfRequest, titledBy } from "@/components/texts/of-request";
import { Note } from "@/components/ui/note";

export const generateMetadata = titledBy("notFound.pageTitle");

export default async function NotFound() {
  const t = await textsOfRequest("app");
  return (
    <Note title={t("notFound.title")}>
      <p>{t("notFound.text")}</p>
      <p>
        <a href="/">{t("notFound.home")}</a>
      </p>
    </Note>
  );
}
