/** A call that adds a person, ready for a terminal. */
export function curlFor(appUrl: string, secret: string): string {
  return [
    `curl '${appUrl}/api/v1/subscribers'`,
    `-H 'Authorization: Bearer ${secret}'`,
    "-H 'Content-Type: application/json'",
    `-d '{"email": "ada@lovelace.org", "name": "Ada Lovelace", "status": "pending"}'`,
  ].join(" \\\n  ");
}
