import { TextInput, type TextInputProps } from "@mantine/core";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useRef } from "react";
import { useTranslations } from "use-intl";
import { type PeopleOrder, sources } from "@/server/subscribers/schema/people-list";
import {
  eachText,
  subscriberTexts,
  type TextName,
  textNames,
} from "@/server/subscribers/schema/subscriber-texts";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import type { Outputs } from "../trpc";
import { RejectedError } from "../ui/error-of";
import { LinkButton } from "../ui/link-button";
import { StatusPill } from "../ui/status-pill";
import { Time } from "../ui/time";

// The fields that the dashboard shows, edits and filters. The table, panel, forms and files follow this module.

export type Person = Outputs["people"]["page"]["items"][number];

/** English labels, as in exported files. */
const sourceWords: Record<string, string> = {
  api: "API",
  dashboard: "Dashboard",
  import: "Import",
  public: "Sign-up page",
  operator: "Command line",
};
/** A person's source: the adapter, and its user. */
function sourceOf({ source, sourceName }: Person, adapter: string): string {
  if (source === "import" && sourceName) return sourceName;
  return sourceName ? `${adapter} · ${sourceName}` : adapter;
}

const isSource = (source: string): source is (typeof sources)[number] =>
  sources.some((one) => one === source);

type PersonField = {
  /** The value in exported files, in English. */
  value(person: Person): string | Date | null;
  /** The display, if it differs from the value as text. */
  show?(person: Person, t: Texts<"people">): ReactNode;
  /** The column header's sort order, and the order after a second click. */
  orders?: readonly [PeopleOrder, PeopleOrder];
};

/** Text fields that the panel's header doesn't show. */
const otherTexts = textNames.filter((name) => name !== "email" && name !== "name");

/** In the column order of exported files. */
export const personFields = {
  ...eachText((name) => ({
    value: (person: Person) => person[name],
    orders: [name, `-${name}`] as const,
  })),
  status: {
    value: ({ status }) => status,
    show: ({ status }) => <StatusPill status={status} />,
  },
  source: {
    value: (person) => sourceOf(person, sourceWords[person.source] ?? person.source),
    show: (person, t) =>
      fromServer(sourceOf(person, isSource(person.source) ? t(`source.${person.source}`) : person.source)),
  },
  added: { value: ({ createdAt }) => createdAt, orders: ["newest", "oldest"] },
  subscribed_at: {
    value: ({ subscribedAt }) => subscribedAt,
    orders: ["-subscribed_at", "subscribed_at"],
  },
  confirmed: {
    value: ({ confirmedAt }) => confirmedAt,
    orders: ["-confirmed", "confirmed"],
  },
  unsubscribed: { value: ({ unsubscribedAt }) => unsubscribedAt },
  id: { value: ({ id }) => id },
  external_id: { value: ({ externalId }) => externalId },
} as const satisfies Record<string, PersonField>;
type FieldName = keyof typeof personFields;
export const fieldNames = Object.keys(personFields) as FieldName[];

/** The orders of a column's header; undefined for a column that can't be sorted. */
export const ordersOf = (column: string): PersonField["orders"] =>
  (personFields as Record<string, PersonField | undefined>)[column]?.orders;

export function useShowField(): (name: FieldName, person: Person) => ReactNode {
  const t = useTranslations("people");
  return useCallback(
    (name, person) => {
      const field: PersonField = personFields[name];
      if (field.show) return field.show(person, t);
      const value = field.value(person);
      return value instanceof Date ? <Time at={value} /> : value;
    },
    [t],
  );
}

/** The table's columns beside the email, which is always shown. */
export const columns: FieldName[] = [
  "name",
  ...otherTexts,
  "status",
  "source",
  "added",
  "subscribed_at",
  "confirmed",
  "external_id",
];
export const defaultColumns: FieldName[] = ["name", "status", "source", "added"];
/** The facts that the panel lists below the name and the address. */
export const facts: FieldName[] = [
  ...otherTexts,
  "subscribed_at",
  "added",
  "source",
  "confirmed",
  "unsubscribed",
  "external_id",
];

export type TypedValues = Record<TextName, string>;
export const typedValues = (person?: Person): TypedValues => eachText((name) => person?.[name] ?? "");

/** Puts the suggestion below the input. */
const inputWrapperOrder: TextInputProps["inputWrapperOrder"] = ["label", "input", "description", "error"];

/**
 * The known domains are larger than the form, so they load once an address is typed. Without a network none is suggested,
 * and they are requested again with the next address.
 */
const domainSuggestions = queryOptions({
  queryKey: ["domain suggestions"],
  queryFn: () =>
    import("@/server/imports/list-parser/domain-suggestions").then(
      ({ DomainSuggestions }) => new DomainSuggestions(new Map()),
      () => null,
    ),
  // Otherwise the query waits for a network, and the form with it.
  networkMode: "always",
  staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
});
type Suggestions = Awaited<ReturnType<NonNullable<typeof domainSuggestions.queryFn>>>;

function isAddress(email: string): boolean {
  const [local, domain = "", more] = email.trim().split("@");
  return !!local && domain.includes(".") && more === undefined;
}

/** Returns the address with the domain that was probably meant, as the import form does; null for a usual one. */
function meantEmail(email: string, suggestions: Suggestions | undefined): string | null {
  if (!isAddress(email)) return null;
  const [local, domain = ""] = email.trim().split("@");
  const meant = suggestions?.for(domain.toLowerCase());
  return meant ? `${local}@${meant}` : null;
}

/**
 * Returns a check for a form to await before it saves. It rejects an address with a mistyped domain once, at its field. The
 * same address is accepted when it is submitted again.
 */
export function useDomainCheck(): (email: string) => Promise<void> {
  const t = useTranslations("people.form");
  const client = useQueryClient();
  const keptEmail = useRef<string>(undefined);
  return async (email) => {
    if (keptEmail.current === email || !isAddress(email)) return;
    if (!meantEmail(email, await client.fetchQuery(domainSuggestions))) return;
    keptEmail.current = email;
    const message = t("submitAgain");
    throw new RejectedError({ message, errors: { email: [message] }, code: null });
  };
}

type InputsForm = {
  values: TypedValues;
  getInputProps(name: TextName): object;
  setFieldValue(name: "email", value: string): void;
};

function DomainQuestion({ form }: { form: InputsForm }) {
  const t = useTranslations("people.form");
  const { email } = form.values;
  const { data: suggestions } = useQuery({ ...domainSuggestions, enabled: isAddress(email) });
  const meant = meantEmail(email, suggestions);
  if (!meant) return null;
  return t.rich("didYouMean", {
    email: meant,
    link: (chunks) => (
      <LinkButton size="xs" onClick={() => form.setFieldValue("email", meant)}>
        {chunks}
      </LinkButton>
    ),
  });
}

/** Describes the effect of saving a pending person. */
export function useConfirmationNote(): (email: string) => string {
  const t = useTranslations("people.form");
  const { sends } = useViewer();
  return (email) => {
    const to = { email: email || "none" };
    return sends ? t("willAsk", to) : t("willStore", to);
  };
}

/** The inputs of a person form. The first input has the focus. */
export function PersonInputs({ form }: { form: InputsForm }) {
  const t = useTranslations("people");
  return textNames.map((name, i) => (
    <TextInput
      key={name}
      label={t(`field.${name}`)}
      description={subscriberTexts[name].optional && t("form.optional")}
      autoComplete="off"
      autoFocus={i === 0}
      data-autofocus={i === 0 || undefined}
      {...(name === "email" && {
        type: name,
        description: <DomainQuestion form={form} />,
        inputWrapperOrder,
      })}
      {...form.getInputProps(name)}
    />
  ));
}
