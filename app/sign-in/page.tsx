import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { findViewer } from "@/server/trpc/signed-in";

export const metadata = { title: "Sign in" };

/** Only a path of ours: an address from elsewhere would lead a person who has just signed in astray. */
function safePath(next: string | string[] | undefined): string {
  return typeof next === "string" && /^\/(?![/\\])/.test(next) ? next : "/";
}

export default async function SignIn({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const next = safePath((await searchParams).next);
  if (await findViewer(await headers())) redirect(next);
  return <SignInForm next={next} />;
}
