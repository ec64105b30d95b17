"use client";
import { Anchor } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { canonicalTag } from "@/server/subscribers/field-values";
import { useOutcome } from "../bulk-actions/use-bulk-action";
import { SearchField } from "../shell/search-field";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { Confirm } from "../ui/confirm";
import { Menu } from "../ui/floating";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { MoreMenu } from "../ui/more-menu";
import { notify } from "../ui/notify";
import { onDemand } from "../ui/on-demand";

const RenameTag = onDemand(() => import("./rename-tag"));

type Tag = Outputs["tags"]["list"][number];

/** A newsletter can have 10,000 tags, and a browser takes seconds to show as many rows. */
const MOST_SHOWN = 200;
/** A list of more tags has a search. */
const SEARCH_ABOVE = 20;

type Open = { renaming: Tag } | { merging: Tag; into: Tag } | { deleting: Tag };

/** The newsletter's tags, with the number of people who have each. */
export function Tags() {
  const { newsletterId } = useViewer();
  const query = api.tags.list.useQuery({ newsletterId });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Loaded query={query} rows={3}>
        {(tags) => <TagList tags={tags} onOpen={setOpen} />}
      </Loaded>
      {open && "renaming" in open && (
        <RenameTag
          tag={open.renaming}
          tags={query.data ?? []}
          onMerge={(into) => setOpen({ merging: open.renaming, into })}
          onClose={close}
        />
      )}
      {open && "merging" in open && <MergeTag from={open.merging} into={open.into} onClose={close} />}
      {open && "deleting" in open && <DeleteTag tag={open.deleting} onClose={close} />}
    </>
  );
}

function TagList({ tags, onOpen }: { tags: Tag[]; onOpen(open: Open): void }) {
  const t = useTranslations("settings.tags");
  const [text, setText] = useState("");
  if (tags.length === 0) return <p className={kit.quiet}>{t("empty")}</p>;
  const found = tags.filter(({ name }) => canonicalTag(name).includes(canonicalTag(text.trim())));
  const rest = found.length - MOST_SHOWN;
  return (
    <>
      {tags.length > SEARCH_ABOVE && (
        <div className={kit.filters}>
          <SearchField label={t("search")} value={text} onChange={setText} />
        </div>
      )}
      {found.length === 0 && <p className={kit.quiet}>{t("noMatch", { text })}</p>}
      <ul className={kit.rows} aria-label={t("list")}>
        {found.slice(0, MOST_SHOWN).map((tag) => (
          <TagRow key={tag.name} tag={tag} onOpen={onOpen} />
        ))}
      </ul>
      {rest > 0 && <p className={kit.quiet}>{t("rest", { n: rest })}</p>}
    </>
  );
}

function TagRow({ tag, onOpen }: { tag: Tag; onOpen(open: Open): void }) {
  const t = useTranslations("settings.tags");
  const { newsletterId, mayEdit } = useViewer();
  const { name, subscribers } = tag;
  return (
    <li>
      <span className={kit.entry}>
        <b>{name}</b>
        <br />
        <Anchor
          component={Link}
          href={`/n/${newsletterId}/people?tags=${encodeURIComponent(name.replaceAll(",", "%2C"))}`}
          inherit
        >
          {t("people", { n: subscribers })}
        </Anchor>
      </span>
      {mayEdit && (
        <MoreMenu label={name}>
          <Menu.Item onClick={() => onOpen({ renaming: tag })}>{t("rename")}</Menu.Item>
          <Menu.Item color="red" onClick={() => onOpen({ deleting: tag })}>
            {t("delete")}
          </Menu.Item>
        </MoreMenu>
      )}
    </li>
  );
}

function MergeTag({ from, into, onClose }: { from: Tag; into: Tag; onClose(): void }) {
  const t = useTranslations("settings.tags.merging");
  const { newsletterId } = useViewer();
  const change = api.tags.change.useMutation();
  const tell = useOutcome();
  const names = { from: from.name, to: into.name };
  const n = from.subscribers;
  return (
    <Confirm
      title={t("title", names)}
      action={t("action")}
      onConfirm={async () => {
        const patch = { name: into.name };
        const { action } = await change.mutateAsync({ newsletterId, name: from.name, patch, merge: true });
        if (action && action.total > 0) tell(action, t("done", names));
        else notify(t("done", names));
      }}
      onClose={onClose}
    >
      <p>{n === 0 ? t("none", names) : t("people", { ...names, n })}</p>
    </Confirm>
  );
}

function DeleteTag({ tag: { name, subscribers }, onClose }: { tag: Tag; onClose(): void }) {
  const t = useTranslations("settings.tags.deleting");
  const { newsletterId } = useViewer();
  const remove = api.tags.delete.useMutation();
  const tell = useOutcome();
  return (
    <Confirm
      title={t("title", { name })}
      action={t("action")}
      danger
      onConfirm={async () => {
        const { action } = await remove.mutateAsync({ newsletterId, name });
        if (action && action.total > 0) tell(action, t("done", { name }));
        else notify(t("done", { name }));
      }}
      onClose={onClose}
    >
      <p>{subscribers === 0 ? t("none") : t("people", { n: subscribers })}</p>
    </Confirm>
  );
}
