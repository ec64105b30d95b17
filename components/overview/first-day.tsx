import { Button, Group } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import Link from "next/link";
import { useTranslations } from "use-intl";
import { useViewer } from "../shell/viewer";
import type { Outputs } from "../trpc";
import { icons } from "../ui/icons";
import kit from "../ui/kit.module.css";
import styles from "./overview.module.css";

type StepName = "provider" | "confirmation" | "import" | "signUpPage" | "apiCall" | "colleague";
type Step = { name: StepName; isDone: boolean; href: string };

/** Setup steps of a new newsletter, in a sensible order. A step counts as done wherever it was done. */
function useSteps({ steps, people }: Outputs["newsletters"]["overview"]): Step[] {
  const { newsletterId, sends, mayEdit, mayManage } = useViewer();
  const base = `/n/${newsletterId}`;
  const hasPeople = people.active + people.pending + people.unsubscribed > 0;
  const all: (Step | false)[] = [
    { name: "provider", isDone: sends, href: `${base}/settings/sending` },
    mayEdit && { name: "confirmation", isDone: steps.ownWords, href: `${base}/mails/confirmation` },
    mayEdit && { name: "import", isDone: hasPeople, href: `${base}/imports/new` },
    mayManage && { name: "signUpPage", isDone: steps.signUpPage, href: `${base}/settings/sign-up` },
    mayManage && { name: "apiCall", isDone: steps.apiCall, href: `${base}/api` },
    mayManage && { name: "colleague", isDone: steps.colleague, href: `${base}/settings/staff?invite=true` },
  ];
  return all.filter((step) => step !== false);
}

/** The setup list of a new newsletter, shown until all steps are done or staff hide it. */
export function FirstDay({ overview }: { overview: Outputs["newsletters"]["overview"] }) {
  const t = useTranslations("overview.firstDay");
  const { newsletterId, mayEdit } = useViewer();
  const steps = useSteps(overview);
  const [isHidden, setHidden] = useLocalStorage({
    key: `first-day-hidden:${newsletterId}`,
    defaultValue: false,
    // The value is read during the first render, so the page doesn't shift.
    getInitialValueInEffect: false,
  });
  const done = steps.filter(({ isDone }) => isDone).length;
  if (!mayEdit || !overview.steps.isNew || isHidden || done === steps.length) return null;
  return (
    <section aria-labelledby="first-day" className={styles.section}>
      <Group justify="space-between">
        <h2 id="first-day">
          {t("heading")} <span className={kit.quiet}>{t("progress", { done, total: steps.length })}</span>
        </h2>
        <Button variant="subtle" color="gray" mr={-12} onClick={() => setHidden(true)}>
          {t("hide")}
        </Button>
      </Group>
      <ol className={kit.rows}>
        {steps.map(({ name, isDone, href }) => (
          <li key={name} className={styles.step} data-done={isDone || undefined}>
            <span className={styles.tick}>{isDone && <icons.check />}</span>
            <div className={kit.entry}>
              <b>{t(`title.${name}`)}</b>
              {isDone ? (
                <span className="sr">{t("stepDone")}</span>
              ) : (
                <div className={kit.quiet}>{t(`text.${name}`)}</div>
              )}
            </div>
            {!isDone && <Link href={href}>{t(`action.${name}`)}</Link>}
          </li>
        ))}
      </ol>
    </section>
  );
}
