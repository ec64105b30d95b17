import type { ConfirmationClaims } from "../mail/signed-links";
import { readForm } from "../platform/http/request-body";
import { confirmNewAddress, type NewAddress, showNewAddress } from "../sign-up/preferences";
import { fillNodes, messagesFor } from "./pages/messages";
import { type PageAnswer, type PageRequest, Words } from "./pages/page";

/**
 * The page of a link that was mailed to a new address, below /preferences. GET shows a button; POST is the button.
 * @returns null when the link is invalid or no longer works
 */
export async function answerNewAddress(
  ctx: Parameters<typeof confirmNewAddress>[0],
  claims: ConfirmationClaims,
  { method, request }: Pick<PageRequest, "method" | "request">,
): Promise<PageAnswer | null> {
  const isPressed = method === "POST" && (await readForm(request)).get("action") === "useAddress";
  const found = await (isPressed ? confirmNewAddress(ctx, claims) : showNewAddress(ctx, claims));
  if (!found) return null;
  // A POST without the button does not come from our page.
  const status = method === "POST" && !isPressed ? 422 : 200;
  return { ...newAddressPage(found), status };
}

export function newAddressPage({ newsletter, email, used }: NewAddress): PageAnswer {
  const { pages, lang, preferences } = messagesFor(newsletter.language);
  const message = pages[used ? "newAddressUsed" : "newAddress"];
  const body = (
    <>
      <Words message={message} lead={fillNodes(message.lead, { email: <b>{email}</b> })} />
      {!used && (
        <form method="post">
          <button type="submit" className="main" name="action" value="useAddress">
            {preferences.useAddress}
          </button>
        </form>
      )}
    </>
  );
  const status = { tone: used ? "active" : "pending", word: message.status } as const;
  return { status: 200, page: { lang, title: message.title, heading: newsletter.name, status, body } };
}
