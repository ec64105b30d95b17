import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { titledBy } from "@/components/texts/of-request";
import { ownPathOrRoot } from "@/server/kernel/own-path";
import { findViewer, oidcName } from "@/server/trpc/viewer";

export const generateMetadata = titledBy("titles.signIn");

export default async function SignIn({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { next: wanted, oidc } = await searchParams;
  const next = ownPathOrRoot(wanted);
  if (await findViewer(await headers())) redirect(next);
  return <SignInForm next={next} oidcName={await oidcName()} oidcFailed={oidc === "failed"} />;
}
