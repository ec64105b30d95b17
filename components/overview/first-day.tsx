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
            title: "Customize the confirmation email",
            text: "Edit its text and the page that people see after confirming.",
            isDone: steps.ownWords,
            action: "Edit email",
            href: `${base}/mails/confirmation`,
          },
          {
            title: "Import your subscribers",
            text: "Paste a list or drop a file. You review everything before it is saved.",
            isDone: people.active + people.pending + people.unsubscribed > 0,
            action: "Paste a list",
            href: `${base}/imports/new`,
          },
        ]
      : []),
    ...(mayManage
      ? [
          {
            title: "Add a sign-up form",
            text: "Use the hosted page or embed the form on your site.",
            isDone: steps.signUpPage,
            action: "Set up the page",
            href: `${base}/settings/sign-up`,
          },
          {
            title: "Make your first API call",
            text: "Create a key and copy a request that adds you as a pending subscriber.",
            isDone: steps.apiCall,
            action: "Create a key",
            href: `${base}/api`,
          },
          {
            title: "Invite a teammate",
            text: "Editors manage subscribers, imports and emails. Viewers have read-only access.",
            isDone: steps.colleague,
            action: "Invite",
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
          Get started{" "}
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
