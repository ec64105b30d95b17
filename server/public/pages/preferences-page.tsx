import type { NewAddress, OwnNewsletter, Preferences } from "../../sign-up/preferences";
import { fieldInput, signUpInputs } from "../../sign-up/schema/sign-up-page";
import type { FieldValue } from "../../subscribers/field-values";
import { DetailInputs, EmailInput } from "./form-inputs";
import { fillNodes, messagesFor } from "./messages";
import { ActionButton, notePage, type PageAnswer } from "./page";
import type { SignUpErrors, Typed } from "./sign-up-input";

/** The hidden input with the version of the person that the page showed. */
export const versionInput = "version";

/** Returns the texts of the inputs by name. An unchecked checkbox has an empty text, as in a form. */
export function shownOf({ name, fields }: Preferences): Typed {
  const text = (value: FieldValue | null) => (value === null || value === false ? "" : String(value));
  return {
    [signUpInputs.name]: name,
    ...Object.fromEntries(fields.map(({ key, value }) => [fieldInput(key), text(value)])),
  };
}

/** The page's content beside the stored preferences. */
type Shown = {
  typed?: Typed;
  /** The text that was typed as a new address. */
  email?: string;
  errors?: SignUpErrors;
  notice?: "saved" | "done" | "addressAsked" | "changed";
};

function Details({ view, typed = shownOf(view), errors }: Shown & { view: Preferences }) {
  const messages = messagesFor(view.newsletter.language);
  // A removed choice stays selectable until the person chooses another.
  const fields = view.fields.map((field) => {
    const own = field.type === "choice" ? String(field.value ?? "") : "";
    return own === "" || field.choices.includes(own) ? field : { ...field, choices: [...field.choices, own] };
  });
  return (
    <form method="post" noValidate>
      <h2>{messages.preferences.details}</h2>
      <DetailInputs messages={messages} typed={typed} errors={errors} asksName fields={fields} />
      <input type="hidden" name={versionInput} value={view.version} />
      <ActionButton action="save" text={messages.preferences.save} look="main" />
    </form>
  );
}

function NewAddressForm({ view, email = "", errors }: Shown & { view: Preferences }) {
  const messages = messagesFor(view.newsletter.language);
  const { preferences } = messages;
  const typed = { [signUpInputs.email]: email };
  return (
    <form method="post" noValidate>
      <h2>{preferences.address}</h2>
      <EmailInput messages={messages} typed={typed} errors={errors} label={preferences.newAddress} />
      <ActionButton action="address" text={preferences.askAddress} />
    </form>
  );
}

/** One of the person's newsletters: their status there, and its buttons. */
function Newsletter({ one, isThis, view }: { one: OwnNewsletter; isThis: boolean; view: Preferences }) {
  const { preferences, buttons } = messagesFor(view.newsletter.language);
  const { status, name, newsletterId } = one;
  const word = preferences.statuses[status === "returning" ? "pending" : status];
  return (
    <div className="aside">
      <p id={newsletterId}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <br />
        {word}
      </p>
      {isThis && view.mayReturn && <ActionButton action="comeBack" text={buttons.comeBack} />}
      {status !== "unsubscribed" && (
        <button
          type="submit"
          className="second"
          name="leave"
          value={newsletterId}
          aria-describedby={newsletterId}
        >
          {buttons.unsubscribe}
        </button>
      )}
    </div>
  );
}

/** Returns the page of a person's preferences, in the newsletter's language. */
export function preferencesPage(view: Preferences, shown: Shown = {}): PageAnswer {
  const { newsletter, email, newsletters } = view;
  const messages = messagesFor(newsletter.language);
  const { preferences, buttons, asides } = messages;
  const isWrong = shown.errors !== undefined;
  const notice = isWrong ? "wrong" : shown.notice;
  const others = newsletters.filter(({ newsletterId }) => newsletterId !== newsletter.id);
  const mayLeave = newsletters.filter(({ status }) => status !== "unsubscribed");
  const body = (
    <>
      <p className="lead">{fillNodes(preferences.lead, { email: <b>{email}</b> })}</p>
      {notice && (
        <p className="notice" role={isWrong ? "alert" : "status"}>
          {preferences[notice]}
        </p>
      )}
      <Details view={view} {...shown} />
      <NewAddressForm view={view} {...shown} />
      <form method="post">
        <h2>{preferences.newsletters}</h2>
        {newsletters.map((one) => (
          <Newsletter
            key={one.newsletterId}
            one={one}
            isThis={one.newsletterId === newsletter.id}
            view={view}
          />
        ))}
        {others.length > 0 && mayLeave.length > 1 && (
          <div className="aside">
            <p>{fillNodes(asides.elsewhere, { account: <bdi>{newsletter.accountName}</bdi> })}</p>
            <ActionButton action="unsubscribeAll" text={buttons.unsubscribeAll} />
          </div>
        )}
      </form>
      <form method="post">
        <h2>{preferences.data}</h2>
        <div className="aside">
          <p>{preferences.dataLead}</p>
          <ActionButton action="download" text={preferences.download} />
          <ActionButton action="askErase" text={preferences.erase} />
        </div>
      </form>
    </>
  );
  const { title } = preferences;
  const page = { lang: messages.lang, title, heading: newsletter.name, body, shape: "form" } as const;
  return { status: isWrong ? 422 : 200, page };
}

/** Returns the page that asks for confirmation before the data is erased. @param path the page's own path */
export function erasePage({ newsletter, email }: Preferences, path: string): PageAnswer {
  const { pages, lang, preferences } = messagesFor(newsletter.language);
  const message = pages.preferencesErase;
  const lead = fillNodes(message.lead, { email: <b>{email}</b> });
  const rest = (
    <>
      <form method="post">
        <ActionButton action="erase" text={preferences.eraseNow} look="main" />
      </form>
      <p className="aside">
        <a href={path}>{preferences.back}</a>
      </p>
    </>
  );
  return notePage(message, lang, { over: newsletter.name, tone: "pending", lead, rest });
}

/** Returns the page of a link that was mailed to a new address. */
export function newAddressPage({ newsletter, email, used }: NewAddress): PageAnswer {
  const { pages, lang, preferences } = messagesFor(newsletter.language);
  const message = pages[used ? "newAddressUsed" : "newAddress"];
  const lead = fillNodes(message.lead, { email: <b>{email}</b> });
  const rest = !used && (
    <form method="post">
      <ActionButton action="useAddress" text={preferences.useAddress} look="main" />
    </form>
  );
  return notePage(message, lang, { heading: newsletter.name, tone: used ? "active" : "pending", lead, rest });
}
