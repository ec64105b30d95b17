import type { AppContext } from "../../app";
import { EXAMPLE_TOKEN } from "../../auth/signed-links";
import { confirm, deny, renew, show, unsubscribe } from "../../services/confirmations";
import { readForm } from "../body";
import { confirmationPage, type Press, presses } from "./confirmation-pages";
import type { Visit } from "./handler";
import type { Answer } from "./page";
import { examplePage, notFoundPage } from "./plain-pages";

const verbs = { confirm, deny, unsubscribe, renew };

/** /confirm/{token}: GET shows how things stand and changes nothing, since mail scanners open links; POST presses. */
export async function answerConfirmation(
  { db, outbox, links }: AppContext,
  visit: Visit,
  token: string,
): Promise<Answer> {
  if (token === EXAMPLE_TOKEN) return examplePage(visit.words);
  const reading = links.readConfirmation(token);
  // Half a link and a forged one get the same page: only the first kind of reader needs it.
  if (!reading.ok) return notFoundPage(visit.words);
  const ctx = {
    db,
    outbox,
    actor: { kind: "link", address: visit.address } as const,
    requestId: visit.requestId,
  };
  if (visit.method === "GET") return confirmationPage(await show(ctx, reading.claims));
  const given = (await readForm(visit.request)).get("press");
  const press = presses.find((name): name is Press => name === given);
  // A post without a button is none of our page's: it decides nothing, and is shown the buttons.
  if (!press) return { ...confirmationPage(await show(ctx, reading.claims)), status: 422 };
  return confirmationPage(await verbs[press](ctx, reading.claims), press);
}
