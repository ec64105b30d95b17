"use client";
import { Popover } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { ChoiceButton } from "../ui/choice";
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
  const [opened, setOpened] = useState(false);
  const chosen = useChosenText(view);
  if (tags.length === 0 && view.knownFields.length === 0 && !chosen) return null;
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width={300}
      shadow="md"
      transitionProps={{ duration: 120 }}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ChoiceButton
          label={chosen ? t("with") : t("tagsAndFields")}
          chosen={chosen}
          onClick={() => setOpened(!opened)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t("tagsAndFields")} className={styles.attributes}>
        {opened && <AttributeFilter view={view} tags={tags} onDone={() => setOpened(false)} />}
      </Popover.Dropdown>
    </Popover>
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
