"use client";
import { Button, Group } from "@mantine/core";
import Link from "next/link";
import { useTranslations } from "use-intl";
import type { StatusLook } from "@/server/mail/schema/mail-states";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, type Outputs } from "../trpc";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { Row } from "../ui/row";
import { StatusPill } from "../ui/status-pill";

type Domain = Outputs["account"]["sendingDomains"]["domains"][number];

const tones: Record<Domain["state"], StatusLook["tone"]> = {
  verified: "active",
  waiting: "pending",
  absent: "failed",
};

/** Resend's status of all sender domains. */
export function SendingDomains() {
  const t = useTranslations("settings.sending.domains");
  const { newsletterId } = useViewer();
  const query = api.account.sendingDomains.useQuery();
  return (
    <section aria-labelledby="sending-domains">
      <h2 id="sending-domains">{t("heading")}</h2>
      <Loaded query={query} rows={1}>
        {({ domains, problem }) => (
          <>
            {problem && <p>{fromServer(problem)}</p>}
            <ul className={kit.rows}>
              {domains.map(({ domain, state }) => (
                <Row key={domain} title={domain} note={t(`notes.${state}`)}>
                  <StatusPill status={{ word: t(`states.${state}`), tone: tones[state] }} />
                </Row>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <Group gap="xs" mt="md">
        <Button variant="default" loading={query.isFetching} onClick={() => query.refetch()}>
          {t("checkAgain")}
        </Button>
        <Link href={`/n/${newsletterId}/mails/confirmation`}>{t("sendTest")}</Link>
      </Group>
    </section>
  );
}
