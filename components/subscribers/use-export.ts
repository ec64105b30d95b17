import { useState } from "react";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { notify, notifyError, notifyRunning } from "../ui/notify";
import type { Offer } from "../ui/verbs";
import type { ExportedPerson } from "./export";
import type { PeopleView } from "./view-state";

/** Chosen people, or all people who match a filter. */
type Exported = { ids: string[] } | { filter: PeopleView["filter"] };

/** The export actions. They fetch 1,000 people at a time, and a message shows the progress. */
export function useExport(exported: Exported): { offers: Offer[]; busy: boolean } {
  const t = useTranslations("people.export");
  const { newsletterId } = useViewer();
  const { client } = api.useUtils();
  const [busy, setBusy] = useState(false);

  /** @param say receives the number of fetched people */
  async function readAll(links: boolean, say: (read: number) => void): Promise<ExportedPerson[]> {
    if ("ids" in exported) {
      return client.people.exportChosen.mutate({ newsletterId, ids: exported.ids, links });
    }
    const found: ExportedPerson[] = [];
    let after: string | null = null;
    do {
      const page: { items: ExportedPerson[]; next: string | null } = await client.people.export.mutate({
        newsletterId,
        filter: exported.filter,
        after,
        links,
      });
      found.push(...page.items);
      after = page.next;
      say(found.length);
    } while (after);
    return found;
  }

  /** @param links includes each person's unsubscribe link */
  async function save(format: "csv" | "json", links = false) {
    if (busy) return;
    setBusy(true);
    let message: ReturnType<typeof notifyRunning> | null = null;
    try {
      // No progress is shown until staff have signed in again.
      await client.own.checkRecentSignIn.query();
      message = notifyRunning(t("running"));
      const { update } = message;
      const found = await readAll(links, (n) => update(t("progress", { n })));
      // Loaded on demand: writing tags needs a part of the list parser.
      const { saveFile, toCsv, toJson } = await import("./export");
      const day = new Date().toISOString().slice(0, 10);
      if (format === "csv") {
        const fields = await client.fields.list.query({ newsletterId });
        const keys = fields.map(({ key }) => key);
        saveFile(`people-${day}.csv`, "text/csv", toCsv(found, keys));
      } else saveFile(`people-${day}.json`, "application/json", toJson(found));
      notify(t("done", { n: found.length }));
    } catch (error) {
      notifyError(error);
    } finally {
      message?.hide();
      setBusy(false);
    }
  }

  return {
    busy,
    offers: [
      { verb: "exportCsv", run: () => void save("csv") },
      { verb: "exportLinks", run: () => void save("csv", true) },
      { verb: "exportJson", run: () => void save("json") },
    ],
  };
}
