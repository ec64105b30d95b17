/** The mail's own HTML, told which scheme its reader has: a frame would follow the system's, not the page's. */
export function inScheme(html: string, scheme: "light" | "dark"): string {
  return html
    .replaceAll("(prefers-color-scheme: dark)", scheme === "dark" ? "all" : "not all")
    .replaceAll('content="light dark"', `content="${scheme}"`)
    .replaceAll(/(color-schemes?): light dark/g, `$1: ${scheme}`);
}
