import { expect, test } from "vitest";
import { ofNewsletter } from "../accounts/context";
import { startBulkAction, undoBulkAction } from "../bulk-actions/bulk-actions";
import { NewSuppression } from "../suppressions/schema/suppressions";
import { createSuppressions } from "../suppressions/suppressions";
import { fixture, imported, newsletter, openFixtureForTests } from "../test/import-fixture";
import { addLinkedPerson, addNewsletter } from "../test/linked-person";
import { unsubscribeByLink } from "./confirmations";
import { unsubscribe } from "./subscribers";
import { unsubscribeByPerson, unsubscribeFromAll } from "./unsubscribe-links";

openFixtureForTests();

type Person = Awaited<ReturnType<typeof addLinkedPerson>>;
const add = (options: { email?: string } = {}, newsletterId = newsletter.id) =>
  addLinkedPerson(fixture.db, newsletterId, { status: "active", ...options });
const reader = () => ({ ...fixture.ctx, actor: { kind: "link", address: null } as const });
const unsubscribeInBulk = (...ids: string[]) =>
  startBulkAction(fixture.ctx, { newsletterId: newsletter.id, kind: "unsubscribe", target: { ids } });

const ways: Record<string, (person: Person) => Promise<unknown>> = {
  "staff unsubscribe them": ({ subscriberId }) => unsubscribeInBulk(subscriberId),
  "an API key unsubscribes them": ({ newsletterId, subscriberId }) =>
    unsubscribe(fixture.ctx, { newsletterId, id: subscriberId }),
  "their address is suppressed": ({ email }) => {
    const input = NewSuppression.parse({ email, reason: "manual" });
    return createSuppressions(fixture.ctx, {
      ...ofNewsletter(newsletter),
      items: [{ index: 0, input }],
      faults: [],
    });
  },
  "an imported list says that they unsubscribed": ({ email }) =>
    imported([{ email, leaving: { reason: "unsubscribed", at: null } }, "new@x.org"]),
  "they use their unsubscribe link": (person) => unsubscribeByPerson(reader(), person),
  "they leave all newsletters from another one": async ({ email }) => {
    const other = await addNewsletter(fixture.db, { accountId: newsletter.accountId });
    await unsubscribeFromAll(reader(), await add({ email }, other.id));
  },
  "they press Unsubscribe on the confirmation page": (person) => unsubscribeByLink(reader(), person),
};

test.each(Object.entries(ways))(
  "%s: the undo of an earlier bulk unsubscribe leaves them unsubscribed",
  async (_, unsubscribeAgain) => {
    const [person, bystander] = [await add(), await add()];
    const ids = [person.subscriberId, bystander.subscriberId];
    const { id } = await unsubscribeInBulk(...ids);
    await unsubscribeAgain(person);
    const undone = await undoBulkAction(fixture.ctx, { newsletterId: newsletter.id, id });
    expect(undone).toMatchObject({ done: 2, undone: 1 });
    const active = await fixture.db.subscriber.findMany({ where: { id: { in: ids }, status: "active" } });
    expect(active.map(({ email }) => email)).toEqual([bystander.email]);
  },
);
