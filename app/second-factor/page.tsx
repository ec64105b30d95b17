import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { MissingSecondFactor } from "@/components/sign-in/missing-second-factor";
import { titledBy } from "@/components/texts/of-request";
import { ScreenTexts } from "@/components/texts/screen-texts";
import { findViewer } from "@/server/trpc/viewer";

export const generateMetadata = titledBy("app.titles.secondFactor");

/** The page for staff without the second factor that their account requires. */
export default async function SecondFactor() {
  const viewer = await findViewer(await headers());
  if (!viewer) redirect("/sign-in?next=%2Fsecond-factor");
  if (!viewer.lacksSecondFactor) redirect("/");
  return (
    <ScreenTexts of={["settings", "signIn"]}>
      <MissingSecondFactor email={viewer.staff.email} accountName={viewer.account.name} />
    </ScreenTexts>
  );
}
