/** Fixes the email's HTML to one colour scheme. A frame would follow the system's scheme instead of the page's. */
export function fixColorScheme(html: string, scheme: "light" | "dark"): string {
  return html
    .replaceAll("(prefers-color-scheme: dark)", scheme === "dark" ? "all" : "not all")
    .replaceAll('content="light dark"', `content="${scheme}"`)
    .replaceAll(/(color-schemes?): light dark/g, `$1: ${scheme}`);
}
