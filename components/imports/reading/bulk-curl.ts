import type { PlanRow } from "@/server/imports/schema/imports";

export const maxSubscribersPerCall = 100;

/**
 * The list as one API call, ready for a terminal. It omits unsubscribed people: the API adds no one as unsubscribed.
 * @param rows at most 100
 * @param status for rows without a status of their own; the API's default is active
 */
export function bulkCurl(appUrl: string, rows: readonly PlanRow[], status: "active" | "pending"): string {
  const people = rows
    .filter(({ leaving }) => !leaving)
    .map(({ email, name, status: own, fields, tags }) => ({
      ...{ email, name: name || undefined, status: own ?? status },
      ...(fields && { fields }),
      ...(tags && { tags }),
    }));
  const body = `[\n    ${people.map((person) => JSON.stringify(person)).join(",\n    ")}\n  ]`;
  return [
    `curl '${appUrl}/api/v1/subscribers/bulk'`,
    "-H 'Authorization: Bearer sk_…'",
    "-H 'Content-Type: application/json'",
    // Within single quotes, a shell treats only the single quote specially.
    `-d '${body.replaceAll("'", String.raw`'\''`)}'`,
  ].join(" \\\n  ");
}
