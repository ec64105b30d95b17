import { fieldInput, signUpInputs } from "../../sign-up/schema/sign-up-page";
import type { SignUpField, SignUpView } from "../../sign-up/sign-up-page";
import { messagesFor } from "./messages";

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function inputOf({ key, label, type, choices, required }: SignUpField): string {
  const name = fieldInput(key);
  const must = required ? " required" : "";
  const words = escaped(label);
  if (type === "boolean")
    return `  <p><label><input type="checkbox" name="${name}" value="true"${must}> ${words}</label></p>`;
  if (type === "choice") {
    const options = ["", ...choices].map((choice) => `<option>${escaped(choice)}</option>`).join("");
    return `  <p><label>${words}<br><select name="${name}"${must}>${options}</select></label></p>`;
  }
  const kind = type === "date" ? ' type="date"' : type === "number" ? ' inputmode="decimal"' : "";
  return `  <p><label>${words}<br><input${kind} name="${name}"${must}></label></p>`;
}

/**
 * Returns a form for other sites, in plain HTML without styles: the page's inputs, its honeypot and the consent
 * wording.
 * @param appUrl without a trailing slash
 */
export function embeddedForm(view: SignUpView, appUrl: string): string {
  const { newsletter, asksName, fields, wording } = view;
  const { signUp } = messagesFor(newsletter.language);
  const { email, name, trap } = signUpInputs;
  return [
    `<form action="${appUrl}/s/${newsletter.id}" method="post">`,
    `  <p><label>${signUp.email}<br><input type="email" name="${email}" autocomplete="email" required></label></p>`,
    ...(asksName
      ? [`  <p><label>${signUp.name}<br><input name="${name}" autocomplete="name"></label></p>`]
      : []),
    ...fields.map(inputOf),
    `  <div hidden aria-hidden="true"><input name="${trap}" tabindex="-1" autocomplete="off"></div>`,
    `  <input type="hidden" name="${signUpInputs.wording}" value="${wording.version}">`,
    `  <p>${escaped(wording.text).replaceAll("\n", "<br>")}</p>`,
    `  <button>${signUp.submit}</button>`,
    `</form>`,
  ].join("\n");
}
