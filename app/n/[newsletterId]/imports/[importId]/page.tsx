import { ImportPage } from "@/components/imports/import-page";
import { titledBy } from "@/components/texts/of-request";
import { ScreenTexts } from "@/components/texts/screen-texts";

export const generateMetadata = titledBy("app.titles.import");

export default async function Page({ params }: { params: Promise<{ importId: string }> }) {
  return (
    <ScreenTexts of={["bulkActions", "imports", "mails"]}>
      <ImportPage importId={(await params).importId} />
    </ScreenTexts>
  );
}
