"use client";
import { createContext, type ReactNode, useContext } from "react";
import type { Viewer } from "@/server/trpc/signed-in";

type Known = Viewer & { newsletter: Viewer["newsletters"][number] };

const Context = createContext<Known | null>(null);

export function ViewerProvider({
  viewer,
  newsletterId,
  children,
}: {
  viewer: Viewer;
  newsletterId: string;
  children: ReactNode;
}) {
  const newsletter =
    viewer.newsletters.find((one) => one.id === newsletterId) ??
    (viewer.newsletters[0] as Known["newsletter"]);
  return <Context value={{ ...viewer, newsletter }}>{children}</Context>;
}

/** Who looks, and at which newsletter. The page shows only what they may do; the procedures are what decides. */
export function useViewer() {
  const known = useContext(Context);
  if (!known) throw new Error("This part of the page belongs inside the shell.");
  const { role } = known.staff;
  return {
    ...known,
    newsletterId: known.newsletter.id,
    mayEdit: role !== "viewer",
    isOwner: role === "owner",
  };
}
