import { ActionIcon, Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { BulkActionButtons } from "../bulk-actions/bulk-action-buttons";
import { useViewer } from "../shell/viewer";
import { bold } from "../texts/bold";
import { Menu } from "../ui/floating";
import { icons } from "../ui/icons";
import { LinkButton } from "../ui/link-button";
import { OfferItems, useVerbLabel } from "../ui/verbs";
import styles from "./people.module.css";
import type { Person } from "./person-fields";
import type { Selection } from "./table";
import { useExport } from "./use-export";
import type { PeopleView } from "./view-state";

type Props = {
  selection: Selection;
  people: Person[];
  view: PeopleView;
  /** Number of matching people; null during counting. */
  total: number | null;
};

/** Actions for the selected people. The bar stays visible below the list. */
export default function SelectionBar({ selection, people, view, total }: Props) {
  const t = useTranslations("people.selection");
  const verbLabel = useVerbLabel();
  const { mayEdit } = useViewer();
  const { filter, saved, isChanged } = view;
  const { ids, all } = selection;
  const target = all ? { filter } : { ids: [...ids] };
  const exporting = useExport(target);
  const selected = all ? (total ?? 0) : ids.size;

  const wholePage = people.length > 0 && people.every(({ id }) => ids.has(id));
  const shown = people.filter(({ id }) => ids.has(id));
  const pending = shown.filter(({ status }) => status === "pending").length;
  const exportMenu = <ExportMenu exporting={exporting} />;
  return (
    <section className={styles.bar} aria-label={t("label")}>
      <p aria-live="polite">
        {all || total === null
          ? t.rich("selected", { n: selected, b: bold })
          : t.rich("selectedOf", { n: selected, total, b: bold })}
      </p>
      {!all && wholePage && total !== null && total > ids.size && (
        <LinkButton size="md" onClick={selection.selectAll}>
          {t("selectAll", { n: total })}
        </LinkButton>
      )}
      {mayEdit ? (
        <BulkActionButtons
          target={target}
          selected={selected}
          segment={all && saved && !isChanged ? saved.name : null}
          // Known only if all of them are on this page. Otherwise the server counts.
          pending={all || shown.length < ids.size ? null : pending}
          linked={all ? view : null}
          onStarted={selection.clear}
          others={[...exporting.offers, { verb: "selectNobody", run: selection.clear }]}
        >
          {exportMenu}
        </BulkActionButtons>
      ) : (
        exportMenu
      )}
      <ActionIcon size={32} aria-label={verbLabel("selectNobody")} onClick={selection.clear}>
        <icons.close />
      </ActionIcon>
    </section>
  );
}

function ExportMenu({ exporting }: { exporting: ReturnType<typeof useExport> }) {
  const t = useTranslations("people.export");
  return (
    <Menu position="top-end" width={270}>
      <Menu.Target>
        <Button variant="default" loading={exporting.busy}>
          {t("button")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <OfferItems offers={exporting.offers} />
      </Menu.Dropdown>
    </Menu>
  );
}
