"use client";
import { Button } from "@mantine/core";
import type { importParts } from "@/server/contract/people-list";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import type { PeopleView } from "./view-state";

const words = {
  added: "Added by",
  unchanged: "Already on the list before",
  still_here: "On the list, but unsubscribed in",
} satisfies Record<(typeof importParts)[number], string>;

/** Says that the list shows one import's people only; pressing it shows everybody again. */
export function ImportChip({ view }: { view: PeopleView }) {
  const { newsletterId } = useViewer();
  const { import: importId, importPart } = view;
  const found = api.imports.get.useQuery(
    { newsletterId, importId: importId ?? "" },
    { enabled: importId !== null },
  );
  if (importId === null) return null;
  const paste = found.data?.number ? `Import #${found.data.number}` : "an import";
  const word = `${words[importPart ?? "added"]} ${paste}`;
  return (
    <Button
      variant="default"
      className={kit.choice}
      data-set
      rightSection={<icons.close />}
      aria-label={`${word}. Show all people`}
      onClick={() => view.show({ import: null, importPart: null })}
    >
      {word}
    </Button>
  );
}
