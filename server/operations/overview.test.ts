import { expect, it } from "vitest";
import { newId } from "../kernel/ids";
import { DAY_MS, WEEK_MS } from "../kernel/time";
import { withClient } from "../platform/postgres/sessions";
import { indexNewest } from "../subscribers/queries/search-index";
import { fixture, imported, openFixtureForTests, newsletter as own, undone } from "../test/import-fixture";
import { getOverview } from "./overview";

openFixtureForTests();

const read = (timeZone: string) =>
  getOverview(fixture.ctx, {
    newsletter: { ...own, timeZone },
    days: 7,
    own: { week: new Date(Date.now() - WEEK_MS), month: new Date(Date.now() - 30 * DAY_MS) },
  });

const look = async () => {
  const { people, addedThisWeek, thisWeek, growth } = await read("Europe/Berlin");
  expect(growth.sum).toEqual(thisWeek);
  return { people, addedThisWeek, ...thisWeek, today: growth.days.at(-1) };
};
/** Adds all people to the search index, like the index's job. */
const index = () => withClient(fixture.url, (client) => indexNewest(client, own.id, 0));

it("shows the finished first steps of a new newsletter", async () => {
  const steps = async () => (await read("UTC")).steps;
  const nothing = { isNew: true, ownWords: false, signUpPage: false, apiCall: false, colleague: false };
  expect(await steps()).toEqual(nothing);
  const change = (data: object) => fixture.db.newsletter.update({ where: { id: own.id }, data });
  await change({ confirmIntro: "Hello" });
  await fixture.db.staffMember.createMany({
    data: ["a", "b"].map((name) => ({
      id: newId(),
      accountId: own.accountId,
      name,
      role: "editor",
      email: `${newId()}@list.org`,
    })),
  });
  expect(await steps()).toEqual({ ...nothing, ownWords: true, colleague: true });
  await change({ createdAt: new Date(Date.now() - 15 * 86_400_000), confirmIntro: null });
  expect(await steps()).toMatchObject({ isNew: false, ownWords: false });
});

it("counts growth by active people: imported opt-outs and pending people have not joined, and leavers are shown as such", async () => {
  await fixture.add(own.id, "api@list.org");
  const before = await look();
  expect(before).toMatchObject({
    addedThisWeek: 1,
    joined: 1,
    left: 0,
    today: { joined: 1, left: 0, active: 1 },
  });

  const left = { reason: "unsubscribed", at: "2020-01-01T10:00:00Z" } as const;
  const { id } = await imported([
    "new@list.org",
    { email: "also@list.org", status: "pending" },
    { email: "left@list.org", leaving: left },
    { email: "undated@list.org", leaving: { reason: "unsubscribed", at: null } },
  ]);
  const brought = {
    people: { active: 2, pending: 1, unsubscribed: 2 },
    addedThisWeek: 5,
    joined: 2,
    left: 0,
    today: { joined: 2, left: 0, active: 2 },
  };
  expect(await look()).toMatchObject(brought);
  await index();
  expect(await look()).toMatchObject(brought);

  const move = (email: string, data: object) =>
    fixture.db.subscriber.updateMany({ where: { newsletterId: own.id, email }, data });
  await move("new@list.org", { status: "unsubscribed", unsubscribedAt: new Date(), version: 2 });
  await move("also@list.org", { status: "active", confirmedAt: new Date(), version: 2 });
  expect(await look()).toMatchObject({ joined: 3, left: 1, today: { joined: 3, left: 1, active: 2 } });

  // People who changed later keep their change.
  await undone(id);
  expect(await look()).toMatchObject({
    people: { active: 2, pending: 0, unsubscribed: 1 },
    joined: 3,
    left: 1,
  });

  const again = await imported(["later@list.org"]);
  await index();
  await undone(again.id);
  expect(await look()).toMatchObject({ joined: 4, left: 2, today: { joined: 4, left: 2, active: 2 } });
});
