import { textsOfRequest, titledBy } from "@/components/texts/of-request";
import { Note } from "@/components/ui/note";

export const generateMetadata = titledBy("app.notFound.pageTitle");

export default async function NotFound() {
  const t = await textsOfRequest();
  return (
    <Note title={t("app.notFound.title")}>
      <p>{t("app.notFound.text")}</p>
      <p>
        <a href="/">{t("app.notFound.home")}</a>
      </p>
    </Note>
  );
}
