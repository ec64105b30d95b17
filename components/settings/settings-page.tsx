"use client";
import type { ReactNode } from "react";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { DashboardPage, Loaded } from "../ui/list-page";
import { AccountLog } from "./account-log";
import { CloseNewsletter } from "./close-newsletter";
import { Fields } from "./fields";
import { NewsletterForm } from "./newsletter-form";
import { OwnAccount } from "./own-account";
import { PasswordForm } from "./password-form";
import { PendingPeople } from "./pending-people";
import { SecondFactors } from "./second-factors";
import { Sessions } from "./sessions";
import styles from "./settings.module.css";
import { SignUpState } from "./sign-up-state";
import { StaffList } from "./staff-list";

/** The newsletter, its staff, oneself, and the audit log. */
export function SettingsPage() {
  const { newsletterId, newsletter, account, staff } = useViewer();
  const settings = api.newsletters.settings.useQuery({ newsletterId });
  return (
    <DashboardPage title="Settings">
      <Section
        id="newsletter"
        title={newsletter.name}
        text="How the newsletter presents itself in mails and on its pages."
      >
        <Loaded query={settings} rows={5}>
          {(found) => <NewsletterForm key={newsletterId} settings={found} />}
        </Loaded>
      </Section>
      <Section
        id="pending"
        title="Pending people"
        text="What becomes of people who were asked to confirm and never answer."
      >
        <PendingPeople />
      </Section>
      <Section
        id="fields"
        title="Fields"
        text="What the newsletter knows of its people beyond address and name."
      >
        <Fields />
      </Section>
      <Section
        id="sign-up"
        title="Sign-up page"
        text="Where people ask for the newsletter themselves. Each confirms by mail."
      >
        <SignUpState />
      </Section>
      <Section
        id="staff"
        title={`Staff of ${account.name}`}
        text="Owners do everything, editors people, imports and mails; viewers look."
      >
        <StaffList />
      </Section>
      <Section
        id="close"
        title="Archive or delete"
        text={`What becomes of ${newsletter.name} when it is over.`}
      >
        <CloseNewsletter />
      </Section>
      <Section id="you" title="You" text={staff.email}>
        <OwnAccount />
        <h3>Password</h3>
        <PasswordForm />
        <h3>Second factor</h3>
        <SecondFactors />
        <Sessions />
      </Section>
      <Section id="log" title="Log" text="Who did what, when and from where. Nobody can change it.">
        <AccountLog />
      </Section>
    </DashboardPage>
  );
}

type SectionProps = { id: string; title: string; text: string; children: ReactNode };

function Section({ id, title, text, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className={styles.section}>
      <header>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
      </header>
      <div>{children}</div>
    </section>
  );
}
