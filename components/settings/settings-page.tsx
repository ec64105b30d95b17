"use client";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { AuditLog } from "../ui/audit-log";
import { Older, Page } from "../ui/list-page";
import { Failed, Loading } from "../ui/states";
import { NewsletterForm } from "./newsletter-form";
import styles from "./settings.module.css";
import { Staff } from "./staff";
import { PasswordForm, Sessions } from "./you";

/** The newsletter, the people who work on it, oneself, and what was done. */
export function SettingsPage() {
  const { newsletterId, newsletter, account, staff } = useViewer();
  const settings = api.newsletters.settings.useQuery({ newsletterId });
  return (
    <Page title="Settings">
      <div className={styles.sections}>
        <section aria-labelledby="newsletter">
          <div>
            <h2 id="newsletter">{newsletter.name}</h2>
            <p>How the newsletter presents itself in mails and on its pages.</p>
          </div>
          <div>
            {settings.isPending && <Loading rows={5} />}
            {settings.error && <Failed error={settings.error} retry={() => settings.refetch()} />}
            {settings.data && <NewsletterForm key={newsletterId} settings={settings.data} />}
          </div>
        </section>
        <section aria-labelledby="staff">
          <div>
            <h2 id="staff">Staff of {account.name}</h2>
            <p>Owners do everything, editors people, imports and mails; viewers look.</p>
          </div>
          <Staff />
        </section>
        <section aria-labelledby="you">
          <div>
            <h2 id="you">You</h2>
            <p>{staff.email}</p>
          </div>
          <div>
            <PasswordForm />
            <Sessions />
          </div>
        </section>
        <section aria-labelledby="log">
          <div>
            <h2 id="log">Log</h2>
            <p>Who did what, when and from where. Nobody can change it.</p>
          </div>
          <Log />
        </section>
      </div>
    </Page>
  );
}

function Log() {
  const log = api.account.acts.useInfiniteQuery(
    { limit: 20 },
    {
      initialCursor: null,
      getNextPageParam: (last) => (last.length === 20 ? (last.at(-1)?.id ?? null) : null),
    },
  );
  if (log.isPending) return <Loading rows={5} />;
  if (log.error) return <Failed error={log.error} retry={() => log.refetch()} />;
  return (
    <div>
      <AuditLog entries={log.data.pages.flat()} withAddress />
      <Older list={log} />
    </div>
  );
}
