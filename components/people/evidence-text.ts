import type { StoredEvidence } from "@/server/contract/imports";

const leftWords = {
  unsubscribed: "unsubscribed",
  bounced: "bounced",
  complained: "reported spam",
} as const;

/** What is kept of how a person agreed: on a sign-up page, on another newsletter, or as a list says it. */
export function evidenceTexts(
  { agreed, copied, copiedTo: _, ...list }: StoredEvidence,
  timeZone?: string,
): string[] {
  const texts: string[] = [];
  if (agreed) {
    texts.push(`Agreed on the sign-up page: “${agreed.wording}” (wording ${agreed.version})`);
    texts.push(agreed.from ? `Form on ${agreed.from}` : `At ${agreed.page}`);
  }
  if (copied) {
    const confirmed = copied.confirmedAt ? `, confirmed ${momentText(copied.confirmedAt, timeZone)}` : "";
    texts.push(`On ${copied.newsletter} since ${momentText(copied.addedAt, timeZone)}${confirmed}`);
  }
  if (Object.keys(list).length > 0) texts.push(evidenceText(list, timeZone));
  return texts;
}

const momentText = (time: string, timeZone?: string) =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(
    new Date(time),
  );

/** What an imported list says of a person: "The list says: opted in 1 Jan 2024, 10:00, from 1.2.3.4, through “Footer”". */
export function evidenceText(
  { optedInAt, confirmedAt, ip, source, left }: StoredEvidence,
  timeZone?: string,
): string {
  const on = (time: string) => momentText(time, timeZone);
  const parts = [
    optedInAt && `opted in ${on(optedInAt)}`,
    confirmedAt && `confirmed ${on(confirmedAt)}`,
    ip && `from ${ip}`,
    source && `through “${source}”`,
    left && (left.at ? `${leftWords[left.reason]} ${on(left.at)}` : leftWords[left.reason]),
  ];
  return `The list says: ${parts.filter(Boolean).join(", ")}`;
}
