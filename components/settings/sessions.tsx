"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { api } from "../trpc";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notifying } from "../ui/notify";
import { Row } from "../ui/row";
import { Time } from "../ui/time";
import { useDeviceName } from "./use-device-name";

/** The staff member's sessions. All but the current one can be ended. */
export function Sessions() {
  const t = useTranslations("settings.you.sessions");
  const nameOf = useDeviceName();
  const query = api.sessions.list.useQuery();
  const end = api.sessions.end.useMutation(notifying(t("signedOut")));
  const endOthers = api.sessions.endOthers.useMutation(notifying(t("signedOut")));
  return (
    <>
      <h2>{t("heading")}</h2>
      <Loaded query={query} rows={2}>
        {(sessions) => (
          <>
            <ul className={kit.rows}>
              {sessions.map((session) => (
                <Row
                  key={session.id}
                  title={nameOf(session.userAgent)}
                  note={
                    <>
                      {session.ipAddress || t("unknownAddress")} ·{" "}
                      {t.rich("since", { time: () => <Time at={session.createdAt} /> })}
                    </>
                  }
                >
                  {session.current ? (
                    <span className={kit.quiet}>{t("thisOne")}</span>
                  ) : (
                    <Button variant="default" onClick={() => end.mutate({ id: session.id })}>
                      {t("signOut")}
                    </Button>
                  )}
                </Row>
              ))}
            </ul>
            {sessions.length > 1 && (
              <Button
                variant="default"
                mt="md"
                loading={endOthers.isPending}
                onClick={() => endOthers.mutate()}
              >
                {t("signOutOthers")}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
