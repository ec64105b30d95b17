"use client";
import { Button } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import Link from "next/link";
import { useViewer } from "../shell/viewer";
import type { Outputs } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import styles from "./overview.module.css";

type Step = { title: string; text: string; isDone: boolean; action: string; href: string };

/** What there is to do with a new newsletter, in a sensible order; each is done when it is, wherever it was done. */
function useSteps({ steps, people }: Outputs["newsletters"]["overview"]): Step[] {
  const { newsletterId, sends, mayEdit, mayManage } = useViewer();
  const base = `/n/${newsletterId}`;
  return [
    {
      title: "Connect an email provider",
      text: "Until you do, confirmation emails are stored but not sent.",
      isDone: sends,
      action: "Set up email",
      href: `${base}/settings/sending`,
    },
    ...(mayEdit
      ? [
          {
            title: "Say it in your words",
            text: "The mail that asks people to confirm: what it says, and where they come afterwards.",
            isDone: steps.ownWords,
            action: "Look at the mail",
            href: `${base}/mails/confirmation`,
          },
          {
            title: "Bring your list",
            text: "Paste it, or drop the file of another service; first you see what will happen.",
            isDone: people.active + people.pending + people.unsubscribed > 0,
            action: "Paste a list",
            href: `${base}/imports/new`,
          },
        ]
      : []),
    ...(mayManage
      ? [
          {
            title: "Put the form on your site",
            text: "A page of your own where people sign up, and a form to copy into another.",
            isDone: steps.signUpPage,
            action: "Set up the page",
            href: `${base}/settings/sign-up`,
          },
          {
            title: "Make the first call",
            text: "A key for your website or shop, and a call to copy that adds you, pending.",
            isDone: steps.apiCall,
            action: "Make a key",
            href: `${base}/api`,
          },
          {
            title: "Ask a colleague in",
            text: "Editors take care of people, imports and mails; viewers look.",
            isDone: steps.colleague,
            action: "Invite somebody",
            href: `${base}/settings/staff?invite=true`,
          },
        ]
      : []),
  ];
}

/** The first days of a newsletter, until all is done or somebody hides it. */
export function FirstDay({ overview }: { overview: Outputs["newsletters"]["overview"] }) {
  const { newsletterId, mayEdit } = useViewer();
  const steps = useSteps(overview);
  const [isHidden, setHidden] = useLocalStorage({
    key: `first-day-hidden:${newsletterId}`,
    defaultValue: false,
    // Read as it is drawn: the page must not move for it.
    getInitialValueInEffect: false,
  });
  const done = steps.filter(({ isDone }) => isDone).length;
  if (!mayEdit || !overview.steps.isNew || isHidden || done === steps.length) return null;
  return (
    <section aria-labelledby="first-day" className={styles.section}>
      <div className={styles.firstDay}>
        <h2 id="first-day">
          To begin with{" "}
          <span className={kit.quiet}>
            {done} of {steps.length} done
          </span>
        </h2>
        <Button variant="subtle" color="gray" onClick={() => setHidden(true)}>
          Hide
        </Button>
      </div>
      <ol className={kit.rows}>
        {steps.map(({ title, text, isDone, action, href }) => (
          <li key={title} className={styles.step} data-done={isDone || undefined}>
            <span className={styles.tick}>{isDone && <icons.check />}</span>
            <div className={kit.entry}>
              <b>{title}</b>
              {isDone ? <span className="sr">: done</span> : <div className={kit.quiet}>{text}</div>}
            </div>
            {!isDone && <Link href={href}>{action}</Link>}
          </li>
        ))}
      </ol>
    </section>
  );
}
