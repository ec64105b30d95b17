"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import type { PeopleView } from "./view-state";

/** Says that the list shows only one import's people. A click shows all people again. */
export function ImportChip({ view }: { view: PeopleView }) {
  const t = useTranslations("people.filters");
  const { newsletterId } = useViewer();
  const { import: importId, importPart } = view;
  const found = api.imports.get.useQuery(
    { newsletterId, importId: importId ?? "" },
    { enabled: importId !== null },
  );
  if (importId === null) return null;
  const number = found.data?.number ? String(found.data.number) : "none";
  const shown = t(`importPart.${importPart ?? "added"}`, { number });
  return (
    <Button
      variant="default"
      className={kit.choice}
      data-set
      rightSection={<icons.close />}
      aria-label={t("clearImport", { shown })}
      onClick={() => view.show({ import: null, importPart: null })}
    >
      {shown}
    </Button>
  );
}
