import { Button, Container, Head, Heading, Html, Link, Section, Text } from "@react-email/components";
import type { ConfirmationWords } from "./words";

type Props = { name: string; url: string; tag: string; words: ConfirmationWords };

const font = '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

// Inline, for clients that drop <style>; the dark sheet below is for those that read it.
const page = { margin: 0, padding: 0, backgroundColor: "#FBFBF9" };
const paper = { backgroundColor: "#FBFBF9", color: "#1B1C1E", fontFamily: font };
const column = { maxWidth: "480px", margin: "0 auto", padding: "40px 20px" };
const heading = {
  margin: "0 0 24px",
  fontSize: "20px",
  lineHeight: "28px",
  fontWeight: 600,
  color: "#1B1C1E",
};
const sentence = { margin: "0 0 24px", fontSize: "16px", lineHeight: "24px", color: "#1B1C1E" };
const button = {
  padding: "12px 20px",
  borderRadius: "8px",
  backgroundColor: "#3450D9",
  color: "#FFFFFF",
  fontSize: "16px",
  lineHeight: "24px",
  fontWeight: 600,
};
const small = { margin: "24px 0 0", fontSize: "14px", lineHeight: "20px", color: "#5C5E63" };
const bare = { color: "#3450D9", textDecoration: "underline", wordBreak: "break-all" as const };
const rule = { margin: "32px 0 0", borderTop: "1px solid #E4E4DF" };

const dark = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background-color: #111214 !important; color: #E8E8E6 !important; }
  .ink { color: #E8E8E6 !important; }
  .quiet { color: #A3A5AA !important; }
  .accent { color: #8FA2FF !important; }
  .button { background-color: #8FA2FF !important; color: #111214 !important; }
  .rule { border-color: #2B2D31 !important; }
}`;

/** One column: the newsletter's name, why this came, one button and its bare link, and what to do if it wasn't you. */
export function Confirmation({ name, url, tag, words }: Props) {
  return (
    <Html lang={tag} dir="ltr">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{words.subject(name)}</title>
        <style>{dark}</style>
      </Head>
      {/* Not the library's Body: it puts the colours on a cell that a dark sheet cannot reach. */}
      <body className="paper" style={page}>
        <Section className="paper" style={paper}>
          <Container style={column}>
            <Heading as="h1" className="ink" style={heading}>
              {name}
            </Heading>
            <Text className="ink" style={sentence}>
              {words.why(name)}
            </Text>
            <Button className="button" href={url} style={button}>
              {words.button}
            </Button>
            <Text className="quiet" style={small}>
              {words.orLink}
              <br />
              <Link className="accent" href={url} style={bare}>
                {url}
              </Link>
            </Text>
            <Text className="quiet" style={small}>
              {words.expires}
            </Text>
            <Section className="rule" style={rule}>
              <Text className="quiet" style={small}>
                {words.notYou}
              </Text>
            </Section>
          </Container>
        </Section>
      </body>
    </Html>
  );
}
