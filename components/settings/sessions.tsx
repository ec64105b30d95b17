"use client";
import { Button } from "@mantine/core";
import { api } from "../trpc";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { Time } from "../ui/time";
import styles from "./settings.module.css";

// In this order: Edge also calls itself Chrome, and Chrome Safari.
const browsers = ["Edg/", "Firefox/", "Chrome/", "Safari/"];
const systems = ["iPhone", "iPad", "Android", "Mac OS X", "Windows", "Linux"];
const commonNames: Record<string, string> = {
  "Edg/": "Edge",
  "Firefox/": "Firefox",
  "Chrome/": "Chrome",
  "Safari/": "Safari",
  iPhone: "iOS",
  iPad: "iOS",
  "Mac OS X": "macOS",
};

/** A browser and system by the name people know. */
function deviceName(userAgent: string | null): string {
  const find = (marks: string[]) => {
    const mark = marks.find((one) => userAgent?.includes(one));
    return mark && (commonNames[mark] ?? mark);
  };
  const browser = find(browsers) ?? "A browser";
  const system = find(systems);
  return system ? `${browser} on ${system}` : browser;
}

/** Where one is signed in; each session but this one can be ended. */
export function Sessions() {
  const utils = api.useUtils();
  const query = api.sessions.list.useQuery();
  const afterwards = {
    onSuccess: () => {
      notify("Signed out there.");
      void utils.sessions.invalidate();
    },
    onError: notifyError,
  };
  const end = api.sessions.end.useMutation(afterwards);
  const endOthers = api.sessions.endOthers.useMutation(afterwards);
  return (
    <>
      <h3 className={styles.sub}>Where you are signed in</h3>
      <Loaded query={query} rows={2}>
        {(sessions) => (
          <>
            <ul className={styles.rows}>
              {sessions.map((session) => (
                <li key={session.id}>
                  <div className={styles.main}>
                    <b>{deviceName(session.userAgent)}</b>
                    <span className={kit.quiet}>
                      {session.ipAddress || "unknown address"} · since <Time at={session.createdAt} />
                    </span>
                  </div>
                  {session.current ? (
                    <span className={kit.quiet}>this one</span>
                  ) : (
                    <Button variant="default" onClick={() => end.mutate({ id: session.id })}>
                      Sign out
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
                Sign out everywhere else
              </Button>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
