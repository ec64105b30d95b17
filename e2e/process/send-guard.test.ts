import { describe, expect, it } from "vitest";
import { staffAt } from "../fixtures/staff";
import { type Site, siteForTest, until } from "./site";

const PEOPLE = 201;

const staff = (url: string) => staffAt(url, "ada@lovelace.org", "correct horse battery");

/** Pending people who were never asked, and a bulk action that is about to mail all of them. */
async function begin(site: Site, url: string, delaySeconds: number) {
  const { newsletterId } = site;
  await site.sql("UPDATE newsletters SET send_delay_seconds = $1", [delaySeconds]);
  await site.sql(
    `INSERT INTO subscribers (newsletter_id, id, source, email, email_canonical, first_name, last_name, status)
     SELECT $1, new_id(now(), n), 'api', 'reader' || n || '@list.example', 'reader' || n || '@list.example', '', '', 'pending'
     FROM generate_series(1, $2::int) AS n`,
    [newsletterId, PEOPLE],
  );
  const { trpc } = await staff(url);
  const { id } = await trpc.bulkActions.start.mutate({
    ...{ newsletterId, kind: "confirm" },
    target: {
      filter: {
        filters: [{ match: "all", conditions: [{ about: "status", is: ["pending"] }], not: [] }],
      },
    },
  });
  await until("all mails of the action", async () => {
    const [mailing] = await trpc.mailings.open.query({ newsletterId });
    return mailing?.mails === PEOPLE;
  });
  return id;
}

const arrived = ({ fake }: Site) => fake.mails.flatMap((mail) => [mail.to].flat());

/** The time until every mail of a mailing would have left, by the database's clock, and a poll of the queue more. */
async function passDelay(site: Site, id: string): Promise<void> {
  await until("the end of the delay", async () => {
    const [row] = await site.sql<{ over: boolean }>(
      "SELECT due_at < now() - interval '5 seconds' AS over FROM mailings WHERE id = $1",
      [id],
    );
    return row?.over;
  });
}

describe("a server killed with -9 while 201 confirmations can be cancelled", () => {
  it("sends each of them once after the restart, and not before its time", async (test) => {
    const site = await siteForTest(test, { database: "own" });
    const id = await begin(site, site.first.url, 10);
    await site.first.kill9();
    await site.start();
    const early = await site.sql<{ due: boolean }>(
      "SELECT due_at <= now() AS due FROM mailings WHERE id = $1",
      [id],
    );
    if (!early[0]?.due) expect(arrived(site)).toEqual([]);
    await until("all mails", () => arrived(site).length >= PEOPLE, 90);
    await passDelay(site, id);
    expect(arrived(site)).toHaveLength(PEOPLE);
    expect(new Set(arrived(site)).size).toBe(PEOPLE);
    // Too late now, and it says so.
    const { trpc } = await staff(site.first.url);
    await expect(trpc.mailings.cancel.mutate({ newsletterId: site.newsletterId, id })).rejects.toThrow(
      `Too late to cancel: ${PEOPLE} of ${PEOPLE} emails were already sent`,
    );
  });

  it("allows cancelling them after the restart: none is sent", async (test) => {
    const site = await siteForTest(test, { database: "own" });
    const id = await begin(site, site.first.url, 60);
    await site.first.kill9();
    const again = await site.start();
    const { trpc } = await staff(again.url);
    const [mailing] = await trpc.mailings.open.query({ newsletterId: site.newsletterId });
    expect(mailing).toMatchObject({ id, mails: PEOPLE });
    expect(await trpc.mailings.cancel.mutate({ newsletterId: site.newsletterId, id })).toMatchObject({
      mails: PEOPLE,
    });
    // Its time is made to be over, rather than waited for.
    await site.sql("UPDATE mailings SET due_at = now() - interval '6 seconds'");
    await site.sql("UPDATE mails SET deferred_until = now() WHERE state = 'deferred'");
    await site.sql("UPDATE pgboss.job SET start_after = now() WHERE state < 'active'");
    await until("the jobs that would have sent them", async () => {
      const [row] = await site.sql<{ jobs: number }>(
        "SELECT count(*)::int AS jobs FROM pgboss.job WHERE name = 'mail-batch' AND state <= 'active'",
      );
      return row?.jobs === 0;
    });
    expect(arrived(site)).toEqual([]);
  });
});
