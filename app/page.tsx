import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { textsOfRequest } from "@/components/texts/of-request";
import { Note } from "@/components/ui/note";
import { findViewer, isSetUp } from "@/server/trpc/viewer";

/** Redirects to the first newsletter or the sign-in page. Before the set-up, it explains how to set up. */
export default async function Home() {
  const viewer = await findViewer(await headers());
  if (viewer?.lacksSecondFactor) redirect("/second-factor");
  const first = viewer?.newsletters.find(({ archivedAt }) => archivedAt === null) ?? viewer?.newsletters[0];
  if (first) redirect(`/n/${first.id}`);
  if (viewer === null && (await isSetUp())) redirect("/sign-in");
  const t = await textsOfRequest();
  return (
    <Note title={t("app.setUp.title")}>
      <p>{t("app.setUp.text")}</p>
    </Note>
  );
}
