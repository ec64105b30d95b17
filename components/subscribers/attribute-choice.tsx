"use client";
import dynamic from "next/dynamic";
import { useLocale, useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { PopoverChoice } from "../ui/choice";
import { dateLocales } from "../ui/time";
import { typedFilter, useFieldText } from "./attribute-text";
import styles from "./people.module.css";
import type { PeopleView } from "./view-state";

// The inputs with lists weigh 20 kB, and most visits never open them.
const AttributeFilter = dynamic(() => import("./attribute-filter"), { ssr: false });

/** Filters people by tags and field values. Hidden if the newsletter has no tags or fields. */
export function AttributeChoice({ view }: { view: PeopleView }) {
  const t = useTranslations("people.filters");
  const { newsletterId } = useViewer();
  const { data: tags = [] } = api.tags.useQuery({ newsletterId });
  const chosen = useChosenText(view);
  if (tags.length === 0 && view.knownFields.length === 0 && !chosen) return null;
  return (
    <PopoverChoice
      label={chosen ? t("with") : t("tagsAndFields")}
      chosen={chosen}
      name={t("tagsAndFields")}
      width={300}
      className={styles.attributes}
    >
      {(close) => <AttributeFilter view={view} tags={tags} onDone={close} />}
    </PopoverChoice>
  );
}

/** "VIP or new, Edition Print" */
function useChosenText({ tags, fields, knownFields }: PeopleView): string {
  const fieldText = useFieldText();
  const alternatives = new Intl.ListFormat(dateLocales[useLocale()], { type: "disjunction" });
  const values = Object.entries(typedFilter(fields ?? [])).map(([key, value]) => {
    const field = knownFields.find((one) => one.key === key);
    return field ? `${field.label} ${fieldText(field, value)}` : `${key} ${value}`;
  });
  return [...(tags?.length ? [alternatives.format(tags)] : []), ...values].join(", ");
}
