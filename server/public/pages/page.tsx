import type { ReactElement, ReactNode } from "react";
import { tabIcon } from "../../kernel/palette";
import { renderDocument } from "../../platform/http/render-document";
import { type FormAction, fillNodes, type Message, type Messages } from "./messages";
import { stylesheet, stylesheetHash } from "./stylesheet";

/** A request for a page; `messages` are in the reader's language, for pages that know of no newsletter. */
export type PageRequest = {
  request: Request;
  url: URL;
  /** HEAD reads as GET: it changes nothing either. */
  method: "GET" | "POST";
  address: string | null;
  requestId: string;
  messages: Messages;
};

/** What the status line stands for; its colour is look.md's, its word the page's own. */
export type PageTone = "active" | "pending" | "off" | "failed";

export type PublicPage = {
  lang: string;
  /** The browser tab's; `heading` follows it. */
  title: string;
  /** A newsletter's name, or our own sentence. */
  heading: string;
  /** Above a heading that is not the newsletter's name: that name. */
  over?: string | undefined;
  status?: { tone: PageTone; word: string };
  body: ReactNode;
  /** The address of a script of another site; the answer has its `sources`. */
  script?: string | undefined;
  /** note (the default): a sentence and a button. form: fields, so it begins higher up. wide: shows code. */
  shape?: "note" | "form" | "wide";
};

export type PageAnswer = {
  status: number;
  page: PublicPage;
  headers?: Record<string, string>;
  /** Another site's sources, as a Content-Security-Policy has them: its scripts, styles and frames may run in the page. */
  sources?: string | undefined;
};

/** Languages that are written from right to left, for when one is added; the others need no word about it. */
const RIGHT_TO_LEFT = ["ar", "fa", "he", "ur"];

/** From here on a heading no longer fits two lines of its size. */
const LONG_HEADING = 48;

/** A whole document. A newsletter's name is set apart (`bdi`), so that a right-to-left one leaves the rest in order. */
function Document(page: PublicPage): ReactElement {
  const { lang, title, heading, over, status, body, script, shape = "note" } = page;
  return (
    <html lang={lang} dir={RIGHT_TO_LEFT.includes(lang) ? "rtl" : undefined}>
      {/* biome-ignore lint/style/noHeadElement: rendered here, without Next */}
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === heading ? title : `${title} · ${heading}`}</title>
        <link rel="icon" href={tabIcon} />
        <style>{stylesheet}</style>
        {script && <script src={script} async defer />}
      </head>
      <body>
        <main className={shape}>
          {over && (
            <p className="over">
              <bdi>{over}</bdi>
            </p>
          )}
          {status && <p className={`status ${status.tone}`}>{status.word}</p>}
          <h1 className={Array.from(heading).length > LONG_HEADING ? "long" : "short"}>
            <bdi>{heading}</bdi>
          </h1>
          {body}
        </main>
      </body>
    </html>
  );
}

export const renderPage = (page: PublicPage): string => renderDocument(<Document {...page} />);

/** The sentences of a page. */
export function Words({ message, lead, more }: { message: Message; lead?: ReactNode; more?: ReactNode }) {
  return (
    <>
      <p className="lead">{lead ?? message.lead}</p>
      {message.more && <p className="more">{more ?? message.more}</p>}
    </>
  );
}

/** A question, and the buttons under it. */
export type Aside = { words: ReactNode; actions: readonly FormAction[] };

/** The buttons of a page, each of which posts its action to the page's own address. @param asides below the main one */
export function Buttons({
  main,
  asides = [],
  messages,
}: {
  main?: FormAction | undefined;
  asides?: Aside[];
  messages: Messages;
}) {
  const button = (action: FormAction, look: string) => (
    <button key={action} type="submit" className={look} name="action" value={action}>
      {messages.buttons[action]}
    </button>
  );
  if (!main && asides.length === 0) return null;
  return (
    <form method="post">
      {main && button(main, "main")}
      {asides.map(({ words, actions }) => (
        <div key={actions[0]} className="aside">
          <p>{words}</p>
          {actions.map((action) => button(action, "second"))}
        </div>
      ))}
    </form>
  );
}

type PlainAnswer = { status: number; tone?: PageTone; requestId?: string; headers?: Record<string, string> };

/** A page of words only, for a reader whose language alone is known. */
export function plainPage(message: Message, lang: string, plain: PlainAnswer): PageAnswer {
  const { status, tone = "off", requestId, headers } = plain;
  const body = <Words message={message} more={message.more && fillNodes(message.more, { requestId })} />;
  const { title, status: word } = message;
  return { status, headers, page: { lang, title, heading: title, status: { tone, word }, body } };
}

/** No script may run at all, but those of `sources`; styles are ours by hash; the page can't be framed. */
const policyWith = (sources?: string) =>
  [
    "default-src 'none'",
    `style-src '${stylesheetHash}'${sources ? ` ${sources}` : ""}`,
    ...(sources ? ["script-src", "frame-src", "connect-src"].map((name) => `${name} ${sources}`) : []),
    "font-src 'self'",
    "img-src data:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");

/** Sent with every page: the address, which holds a capability, goes to no other site, no cache and no index. */
const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": policyWith(),
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow",
  "X-Frame-Options": "DENY",
};

/** The answer as HTTP; a HEAD gets what a GET would, without the page. */
export function pageResponse(
  { status, page, headers, sources }: PageAnswer,
  method: string,
  requestId: string,
): Response {
  const body = new TextEncoder().encode(renderPage(page));
  return new Response(method === "HEAD" ? null : body, {
    status,
    headers: {
      ...HEADERS,
      ...(sources && { "Content-Security-Policy": policyWith(sources) }),
      "Content-Length": String(body.byteLength),
      "X-Request-Id": requestId,
      ...headers,
    },
  });
}
