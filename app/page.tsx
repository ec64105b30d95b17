import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { Note } from "@/components/ui/note";
import { findViewer, isSetUp } from "@/server/trpc/signed-in";

/** Leads to the first newsletter or to the sign-in page; before the set-up it explains what to do. */
export default async function Home() {
  const viewer = await findViewer(await headers());
  if (viewer?.lacksSecondFactor) redirect("/second-factor");
  const first = viewer?.newsletters.find(({ archivedAt }) => archivedAt === null) ?? viewer?.newsletters[0];
  if (first) redirect(`/n/${first.id}`);
  if (viewer === null && (await isSetUp())) redirect("/sign-in");
  return (
    <Note title="Rollcall is not set up yet">
      <p>
        Open the link that the terminal printed when it started. There you create your account and first
        newsletter.
      </p>
    </Note>
  );
}
