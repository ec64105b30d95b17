"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { api } from "../trpc";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { Time } from "../ui/time";
import { useDeviceName } from "./use-device-name";

/** The staff member's sessions. All but the current one can be ended. */
export function Sessions() {
  const t = useTranslations("settings.you.sessions");
  const nameOf = useDeviceName();
  const query = api.sessions.list.useQuery();
  const afterwards = { onSuccess: () => notify(t("signedOut")), onError: notifyError };
  const end = api.sessions.end.useMutation(afterwards);
  const endOthers = api.sessions.endOthers.useMutation(afterwards);
  return (
    <>
      <h2>{t("heading")}</h2>
      <Loaded query={query} rows={2}>
        {(sessions) => (
          <>
            <ul className={kit.rows}>
              {sessions.map((session) => (
                <li key={session.id}>
                  <div className={kit.entry}>
                    <b>{nameOf(session.userAgent)}</b>
                    <div className={kit.quiet}>
                      {session.ipAddress || t("unknownAddress")} ·{" "}
                      {t.rich("since", { time: () => <Time at={session.createdAt} /> })}
                    </div>
                  </div>
                  {session.current ? (
                    <span className={kit.quiet}>{t("thisOne")}</span>
                  ) : (
                    <Button variant="default" onClick={() => end.mutate({ id: session.id })}>
                      {t("signOut")}
                    </Button>
                  )}
                </li>
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
