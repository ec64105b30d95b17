import { expect, it } from "vitest";
import { fixture, imported, openFixtureForTests, newsletter as own, undone } from "../test/import-fixture";
import { getOverview } from "./overview";

openFixtureForTests();

it("counts as joined whom an import added, and not whom it brought as unsubscribed", async () => {
  const newsletter = { ...own, timeZone: "Europe/Berlin" };
  const look = async () => {
    const { people, joinedThisWeek, growth } = await getOverview(fixture.ctx, { newsletter, days: 7 });
    return { people, joinedThisWeek, today: growth.at(-1) };
  };
  await fixture.add(newsletter.id, "api@list.org");
  const before = await look();
  expect(before).toMatchObject({ joinedThisWeek: 1, today: { joined: 1, total: 1 } });

  const left = { reason: "unsubscribed", at: "2020-01-01T10:00:00Z" } as const;
  const { id } = await imported(fixture, newsletter, [
    "new@list.org",
    { email: "also@list.org", status: "pending" },
    { email: "left@list.org", leaving: left },
    { email: "undated@list.org", leaving: { reason: "unsubscribed", at: null } },
  ]);
  expect(await look()).toMatchObject({
    people: { active: 2, pending: 1, unsubscribed: 2 },
    joinedThisWeek: 3,
    today: { joined: 3, total: 5 },
  });

  // Who joins and leaves again has joined.
  await fixture.db.subscriber.updateMany({
    where: { newsletterId: newsletter.id, email: "new@list.org" },
    data: { status: "unsubscribed", unsubscribedAt: new Date(), version: 2 },
  });
  expect(await look()).toMatchObject({ joinedThisWeek: 3, today: { joined: 3, total: 5 } });

  await undone(fixture, newsletter, id);
  expect(await look()).toMatchObject({ joinedThisWeek: 2, today: { joined: 2, total: 2 } });
});
