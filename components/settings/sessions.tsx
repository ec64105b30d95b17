"use client";
import { Button } from "@mantine/core";
import { api } from "../trpc";
import kit from "../ui/kit.module.css";
import { Loaded } from "../ui/list-page";
import { notify, notifyError } from "../ui/notify";
import { Time } from "../ui/time";

// In this order: Edge also calls itself Chrome, and Chrome Safari; Android also calls itself Linux.
const browsers = { "Edg/": "Edge", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari" };
const iOS = { iPhone: "iOS", iPad: "iOS" };
const systems = { ...iOS, Android: "Android", "Mac OS X": "macOS", Windows: "Windows", Linux: "Linux" };

/** A browser and system by the name people know. */
function deviceName(userAgent: string | null): string {
  const find = (names: Record<string, string>) =>
    Object.entries(names).find(([mark]) => userAgent?.includes(mark))?.[1];
  return [find(browsers) ?? "A browser", find(systems)].filter(Boolean).join(" on ");
}

/** Where one is signed in; each session but this one can be ended. */
export function Sessions() {
  const query = api.sessions.list.useQuery();
  const afterwards = { onSuccess: () => notify("Signed out there."), onError: notifyError };
  const end = api.sessions.end.useMutation(afterwards);
  const endOthers = api.sessions.endOthers.useMutation(afterwards);
  return (
    <>
      <h3>Where you are signed in</h3>
      <Loaded query={query} rows={2}>
        {(sessions) => (
          <>
            <ul className={kit.rows}>
              {sessions.map((session) => (
                <li key={session.id}>
                  <div className={kit.entry}>
                    <b>{deviceName(session.userAgent)}</b>
                    <div className={kit.quiet}>
                      {session.ipAddress || "unknown address"} · since <Time at={session.createdAt} />
                    </div>
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
