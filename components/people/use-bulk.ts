import { useRef, useState } from "react";
import { api } from "../api";
import { count, people as wordPeople } from "../parts/numbers";
import { say, sayWhyNot } from "../parts/say";
import { useViewer } from "../shell/viewer";
import { saveFile, toCsv, toJson } from "./export";
import type { Person } from "./table";
import type { Selection } from "./use-selection";
import type { PeopleView } from "./view-state";

export type Act = "confirm" | "activate" | "unsubscribe" | "erase";

const CHUNK = 200;
const doings: Record<Act | "export", string> = {
  confirm: "Sending confirmations",
  activate: "Making active",
  unsubscribe: "Unsubscribing",
  erase: "Erasing",
  export: "Exporting",
};
const results: Record<Act, (n: number) => string> = {
  confirm: (n) => `${count(n)} confirmation${n === 1 ? " is" : "s are"} on the way.`,
  activate: (n) => `${wordPeople(n)} made active.`,
  unsubscribe: (n) => `${wordPeople(n)} unsubscribed.`,
  erase: (n) => `${wordPeople(n)} erased.`,
};

type Progress = { doing: string; done: number; seen: number };

/** Long work in chunks that each succeed or fail whole: it shows how far it is, and can be stopped between two. */
export function useBulk({ selection, filter }: { selection: Selection; filter: PeopleView["filter"] }) {
  const { newsletterId } = useViewer();
  const utils = api.useUtils();
  const act = api.people.act.useMutation();
  const actOnMatching = api.people.actOnMatching.useMutation();
  const [progress, setProgress] = useState<Progress | null>(null);
  const stopped = useRef(false);

  async function run(what: Act) {
    stopped.current = false;
    let [done, left] = [0, 0];
    const note = () => setProgress({ doing: doings[what], done, seen: done + left });
    note();
    try {
      if (selection.all) {
        let after: string | null = null;
        do {
          const result: { done: number; left: number; after: string | null } =
            await actOnMatching.mutateAsync({
              newsletterId,
              act: what,
              filter,
              after,
            });
          done += result.done;
          left += result.left;
          after = result.after;
          note();
        } while (after && !stopped.current);
      } else {
        const ids = [...selection.ids];
        for (let i = 0; i < ids.length && !stopped.current; i += CHUNK) {
          const result = await act.mutateAsync({ newsletterId, act: what, ids: ids.slice(i, i + CHUNK) });
          done += result.done;
          left += result.left;
          note();
        }
      }
      say(results[what](done) + why(what, left));
      selection.clear();
    } catch (error) {
      sayWhyNot(error);
      if (done > 0) say(`Until then: ${results[what](done)}`);
    } finally {
      setProgress(null);
      void utils.people.invalidate();
      void utils.mails.invalidate();
      void utils.newsletters.invalidate();
    }
  }

  async function save(format: "csv" | "json") {
    stopped.current = false;
    const found: Person[] = [];
    const note = () => setProgress({ doing: doings.export, done: found.length, seen: found.length });
    note();
    try {
      if (selection.all) {
        let after: string | null = null;
        do {
          const page: { people: Person[]; after: string | null } = await utils.people.export.fetch({
            newsletterId,
            filter,
            after,
          });
          found.push(...page.people);
          after = page.after;
          note();
        } while (after && !stopped.current);
      } else {
        const ids = [...selection.ids];
        // In the address of a request there is room for so many.
        for (let i = 0; i < ids.length; i += 80) {
          found.push(...(await utils.people.chosen.fetch({ newsletterId, ids: ids.slice(i, i + 80) })));
        }
      }
      if (stopped.current) return;
      const day = new Date().toISOString().slice(0, 10);
      if (format === "csv") saveFile(`people-${day}.csv`, "text/csv", toCsv(found));
      else saveFile(`people-${day}.json`, "application/json", toJson(found));
      say(`${wordPeople(found.length)} exported.`);
    } catch (error) {
      sayWhyNot(error);
    } finally {
      setProgress(null);
    }
  }

  return { run, save, progress, stop: () => (stopped.current = true) };
}

function why(what: Act, left: number): string {
  if (left === 0) return "";
  if (what === "confirm")
    return ` ${wordPeople(left)} left out: not pending, asked a moment ago, or not to be written to.`;
  if (what === "activate") return ` ${wordPeople(left)} left as they are: active already, or unsubscribed.`;
  return ` ${wordPeople(left)} left as they are.`;
}
