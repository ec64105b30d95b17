import type { ReactElement, ReactNode } from "react";
import { tabIcon } from "../../kernel/colors-for-pages";
import { inlineSource, renderDocument } from "../../platform/http/render-document";
import type { FormAction, Message, Messages } from "./messages";
import { staffScript } from "./staff-script";
import { stylesheet } from "./stylesheet";

/** A request for a page. `messages` are in the reader's language, for pages without a newsletter. */
export type PageRequest = {
  request: Request;
  url: URL;
  /** HEAD counts as GET: both change nothing. */
  method: "GET" | "POST";
  address: string | null;
  requestId: string;
  messages: Messages;
};

/** The kind of status that a page shows; it selects the colour of the status line. */
export type PageTone = "active" | "pending" | "off" | "failed";

type PublicPage = {
  lang: string;
  /** The title of the browser tab; `heading` follows it. */
  title: string;
  /** A newsletter's name, or a sentence of ours. */
  heading: string;
  /** The newsletter's name, above a heading that is a sentence. */
  over?: string | undefined;
  status?: { tone: PageTone; word: string };
  body: ReactNode;
  /** The URL of another site's script. The answer's `sources` must allow it. */
  script?: string | undefined;
  /**
   * note (the default): a sentence and a button. form: fields, placed higher on the page. staff: a page for staff who are
   * not signed in, with the product's mark.
   */
  shape?: "note" | "form" | "staff";
  /** The page runs `staffScript`. */
  hasStaffScript?: boolean;
};

export type PageAnswer = {
  status: number;
  page: PublicPage;
  headers?: Record<string, string>;
  /** Set-Cookie values. */
  cookies?: readonly string[];
  /** Another site's sources for the Content-Security-Policy. Its scripts, styles and frames may run in the page. */
  sources?: string | undefined;
};

/** The length from which a heading no longer fits on two lines at full size. */
const LONG_HEADING = 48;

/**
 * A whole document. `bdi` isolates the newsletter's name, so that a right-to-left name doesn't reorder the text around
 * it.
 */
function Document(page: PublicPage): ReactElement {
  const { lang, title, heading, over, status, body, script, shape = "note", hasStaffScript } = page;
  return (
    <html lang={lang}>
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
        {hasStaffScript && <script>{staffScript}</script>}
      </body>
    </html>
  );
}

export const renderPage = (page: PublicPage): string => renderDocument(<Document {...page} />);

type ActionButtonProps = { action: string; text: string; look?: "main" | "second" };

/** A button that posts its action with its form. */
export const ActionButton = ({ action, text, look = "second" }: ActionButtonProps) => (
  <button type="submit" className={look} name="action" value={action}>
    {text}
  </button>
);

/** A text and the button below it. */
type Aside = { words: ReactNode; action: FormAction };

/**
 * The buttons of a page. Each button posts its action to the page's own URL. @param asides shown below the main button
 */
export function Buttons({
  main,
  asides = [],
  messages,
}: {
  main?: FormAction | undefined;
  asides?: Aside[];
  messages: Messages;
}) {
  const { buttons } = messages;
  if (!main && asides.length === 0) return null;
  return (
    <form method="post">
      {main && <ActionButton action={main} text={buttons[main]} look="main" />}
      {asides.map(({ words, action }) => (
        <div key={action} className="aside">
          <p>{words}</p>
          <ActionButton action={action} text={buttons[action]} />
        </div>
      ))}
    </form>
  );
}

type NotePage = Partial<Pick<PageAnswer, "status" | "headers"> & Pick<PublicPage, "heading" | "over">> & {
  tone?: PageTone;
  /** These replace the texts of the message. */
  lead?: ReactNode;
  more?: ReactNode;
  /** The content below the texts. */
  rest?: ReactNode;
};

/** Returns a page with a status line and a message. Without a `heading`, the message's title is the heading. */
export function notePage(message: Message, lang: string, page: NotePage): PageAnswer {
  const { title, status: word } = message;
  const { status = 200, headers, heading = title, over, tone = "off", lead, more, rest } = page;
  const body = (
    <>
      <p className="lead">{lead ?? message.lead}</p>
      {message.more && <p className="more">{more || message.more}</p>}
      {rest}
    </>
  );
  return { status, headers, page: { lang, title, heading, over, status: { tone, word }, body } };
}

const [styleSource, staffScriptSource] = [inlineSource(stylesheet), inlineSource(staffScript)];

/**
 * The Content-Security-Policy. Only scripts of `sources` run, our styles and our script are allowed by hash, and the page
 * can't be framed.
 */
const policyWith = (sources: string | undefined, hasStaffScript = false) =>
  [
    "default-src 'none'",
    `style-src ${styleSource}${sources ? ` ${sources}` : ""}`,
    ...(sources ? ["script-src", "frame-src", "connect-src"].map((name) => `${name} ${sources}`) : []),
    ...(hasStaffScript ? [`script-src ${staffScriptSource}`, "connect-src 'self'"] : []),
    "font-src 'self'",
    "img-src data:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");

/** Headers of every page. The page's URL grants access, so no other site, cache or index may get it. */
const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow",
  "X-Frame-Options": "DENY",
};

/** Converts a page to a Response. A HEAD request gets the same headers without a body. */
export function pageResponse(
  { status, page, headers, cookies = [], sources }: PageAnswer,
  method: string,
  requestId: string,
): Response {
  const body = new TextEncoder().encode(renderPage(page));
  const response = new Response(method === "HEAD" ? null : body, {
    status,
    headers: {
      ...HEADERS,
      "Content-Security-Policy": policyWith(sources, page.hasStaffScript),
      "Content-Length": String(body.byteLength),
      "X-Request-Id": requestId,
      ...headers,
    },
  });
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}
