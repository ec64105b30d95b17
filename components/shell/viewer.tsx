import { createContext, type ReactNode, useContext } from "react";
import { useTranslations } from "use-intl";
import { hasRight } from "@/server/staff/schema/roles";
import type { SavedSegment } from "@/server/subscribers/schema/segments";
import type { Viewer } from "@/server/trpc/viewer";

type Known = Viewer & {
  newsletter: Viewer["newsletters"][number];
  /** The segments at page load; see `useSegments`. */
  segments: SavedSegment[];
};

const Context = createContext<Known | null>(null);

type Props = Pick<Known, "segments"> & { viewer: Viewer; newsletterId: string; children: ReactNode };

export function ViewerProvider({ viewer, newsletterId, segments, children }: Props) {
  const { newsletters } = viewer;
  const newsletter =
    newsletters.find(({ id }) => id === newsletterId) ?? (newsletters[0] as Known["newsletter"]);
  return <Context value={{ ...viewer, newsletter, segments }}>{children}</Context>;
}

/** The signed-in staff member and the newsletter. Pages hide forbidden actions; the server enforces the rules. */
export function useViewer() {
  const t = useTranslations("shell.viewer");
  const known = useContext(Context);
  if (!known) throw new Error("This part of the page belongs inside the shell.");
  const { role } = known.staff;
  const isOwner = hasRight(role, "manage");
  const mayExport = hasRight(role, "edit");
  // An archived newsletter is read-only.
  const isOpen = known.newsletter.archivedAt === null;
  return {
    ...known,
    newsletterId: known.newsletter.id,
    mayExport,
    /** The reason for read-only access; false with edit rights. */
    noEdit: isOpen ? !mayExport && t("noEdit") : t("archived"),
    noManage: isOpen ? !isOwner && t("noManage") : t("archived"),
    mayEdit: isOpen && mayExport,
    /** Settings, keys and webhooks of the newsletter. */
    mayManage: isOpen && isOwner,
    /** Staff and the account; closing a newsletter and opening it again. */
    isOwner,
  };
}
