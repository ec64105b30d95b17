import { Button } from "@react-email/button";
import { Container } from "@react-email/container";
import { Head } from "@react-email/head";
import { Heading } from "@react-email/heading";
import { Html } from "@react-email/html";
import { Link } from "@react-email/link";
import { Section } from "@react-email/section";
import { Text } from "@react-email/text";
import { Fragment } from "react";
import { palette } from "../../kernel/colors-for-pages";

export type LetterProps = {
  /** Language tag. */
  tag: string;
  subject: string;
  heading: string;
  /** Plain text, one entry per paragraph; line breaks inside a paragraph stay. */
  paragraphs: string[];
  /** The reader's action: a button, and its bare link. */
  action?: LetterAction;
  /** Below the rule. */
  aside: string;
  /** A link below the rule. */
  asideLink?: { word: string; url: string };
};

export type LetterAction = {
  url: string;
  button: string;
  orLink: string;
  /** Small, after the link. */
  expires: string;
};

const font = '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

const { light, dark } = palette;

// Inline styles serve clients that drop <style>. The dark sheet below serves clients that read it.
const page = { margin: 0, padding: 0, backgroundColor: light.paper };
const paper = { backgroundColor: light.paper, color: light.ink, fontFamily: font };
const column = { maxWidth: "480px", margin: "0 auto", padding: "40px 20px" };
const headingStyle = {
  margin: "0 0 24px",
  fontSize: "20px",
  lineHeight: "28px",
  fontWeight: 600,
  color: light.ink,
};
const sentence = { margin: "0 0 24px", fontSize: "16px", lineHeight: "24px", color: light.ink };
const buttonStyle = {
  padding: "12px 20px",
  borderRadius: "8px",
  backgroundColor: light.act,
  color: light["on-act"],
  fontSize: "16px",
  lineHeight: "24px",
  fontWeight: 600,
};
const small = { margin: "24px 0 0", fontSize: "14px", lineHeight: "20px", color: light.quiet };
const bare = { color: light.act, textDecoration: "underline", wordBreak: "break-all" as const };
const rule = { margin: "32px 0 0", borderTop: `1px solid ${light.line}` };

const darkSheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background-color: ${dark.paper} !important; color: ${dark.ink} !important; }
  .ink { color: ${dark.ink} !important; }
  .quiet { color: ${dark.quiet} !important; }
  .accent { color: ${dark.act} !important; }
  .button { background-color: ${dark.act} !important; color: ${dark["on-act"]} !important; }
  .rule { border-color: ${dark.line} !important; }
}`;

function Action({ url, button, orLink, expires }: LetterAction) {
  return (
    <>
      <Button className="button" href={url} style={buttonStyle}>
        {button}
      </Button>
      <Text className="quiet" style={small}>
        {orLink}
        <br />
        <Link className="accent" href={url} style={bare}>
          {url}
        </Link>
      </Text>
      <Text className="quiet" style={small}>
        {expires}
      </Text>
    </>
  );
}

/** The layout of every mail: one column with a heading, the reason, one button, its bare link, and further notes. */
export function Letter({ tag, subject, heading, paragraphs, action, aside, asideLink }: LetterProps) {
  return (
    <Html lang={tag} dir="ltr">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{darkSheet}</style>
      </Head>
      {/* Not the library's Body: it puts the colours on a cell that a dark sheet cannot reach. */}
      <body className="paper" style={page}>
        <Section className="paper" style={paper}>
          <Container style={column}>
            <Heading as="h1" className="ink" style={headingStyle}>
              {heading}
            </Heading>
            {paragraphs.map((paragraph, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, in this order
              <Text key={i} className="ink" style={sentence}>
                {paragraph.split("\n").map((line, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, in this order
                  <Fragment key={at}>
                    {at > 0 && <br />}
                    {line}
                  </Fragment>
                ))}
              </Text>
            ))}
            {action && <Action {...action} />}
            <Section className="rule" style={rule}>
              <Text className="quiet" style={small}>
                {aside}
                {asideLink && (
                  <>
                    <br />
                    <Link className="accent" href={asideLink.url} style={bare}>
                      {asideLink.word}
                    </Link>
                  </>
                )}
              </Text>
            </Section>
          </Container>
        </Section>
      </body>
    </Html>
  );
}
