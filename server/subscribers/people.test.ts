import { beforeAll, describe, expect, it } from "vitest";
import { ofNewsletter } from "../accounts/context";
import { newId } from "../kernel/ids";
import { openEditorContext } from "../test/editor-context";
import { addNewsletter, addPeople } from "../test/linked-person";
import { base, database, openDatabaseForTests } from "../test/open-database";
import type { Ctx } from "./context";
import { exportChosen, exportPeople } from "./people";
import { exportPerson } from "./person";
import { peopleWith } from "./queries/people-filter";
import { SubscriberPatch } from "./schema/subscriber";
import { updateSubscriber } from "./subscribers";

openDatabaseForTests();
let ctx: Ctx;
let newsletter: { id: string; accountId: string };

beforeAll(async () => {
  ({ newsletter, ctx } = await openEditorContext(database, base.url));
});

describe("the audit log records", () => {
  const entries = async (where: object) =>
    database.db.auditEntry.findMany({
      where,
      orderBy: { id: "asc" },
      select: { accountId: true, actorKind: true, action: true, subjectId: true, detail: true },
    });

  it("every export: one entry for its pages, and another for another export", async () => {
    const place = await addNewsletter(database.db);
    const ids = await addPeople(database.db, place.id, 1_203);
    const input = { ...ofNewsletter(place), filter: peopleWith(place.id) };
    const first = await exportPeople(ctx, { ...input, after: null });
    const second = await exportPeople(ctx, { ...input, after: first.next });
    expect([first.items.length, second.items.length, second.next]).toEqual([1_000, 203, null]);
    const chosen = ids.slice(0, 2);
    expect(await exportChosen(ctx, { ...ofNewsletter(place), ids: [...chosen, newId()] })).toHaveLength(2);
    // A page from the middle is recorded too, even without a first page.
    const actor = { kind: "staff", id: newId(), accountId: place.accountId, role: "editor" } as const;
    await exportPeople({ ...ctx, actor }, { ...input, after: first.next });
    await exportPerson(ctx, { newsletter: { ...place, name: "Weekly" }, id: chosen[0] as string });
    const noted = await entries({ newsletterId: place.id });
    expect(noted.map(({ action, subjectId, detail }) => ({ action, subjectId, detail }))).toEqual([
      { action: "people.exported", subjectId: null, detail: { people: 1_203 } },
      { action: "people.exported", subjectId: null, detail: { people: 2 } },
      { action: "people.exported", subjectId: null, detail: { people: 203 } },
      { action: "subscriber.exported", subjectId: chosen[0], detail: null },
    ]);
  });

  it("a change of address, without the address", async () => {
    const [id = ""] = await addPeople(database.db, newsletter.id, 1);
    const patch = (email: string) => SubscriberPatch.parse({ email });
    await updateSubscriber(ctx, { newsletterId: newsletter.id, id, patch: patch("after@lovelace.org") });
    const key = { kind: "key", id: newId(), newsletterId: newsletter.id } as const;
    await updateSubscriber(
      { ...ctx, actor: key },
      { newsletterId: newsletter.id, id, patch: patch("last@lovelace.org") },
    );
    await updateSubscriber(ctx, {
      newsletterId: newsletter.id,
      id,
      patch: SubscriberPatch.parse({ name: "Ada" }),
    });
    const { accountId } = newsletter;
    const entry = { accountId, action: "subscriber.address_changed", subjectId: id, detail: null };
    expect(await entries({ subjectId: id })).toEqual([
      { ...entry, actorKind: "staff" },
      { ...entry, actorKind: "key" },
    ]);
  });
});
