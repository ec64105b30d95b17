import { afterAll, beforeAll, expect, test } from "vitest";
import { uploadList } from "../../components/imports/reading/upload-list";
import { countAdded } from "../imports/schema/imports";
import { type ConsentStage, openConsentStage } from "../test/consent-stage";
import { addNewsletter } from "../test/linked-person";

let stage: ConsentStage;
let otherId: string;
beforeAll(async () => {
  stage = await openConsentStage();
  otherId = (await addNewsletter(stage.app.db, { accountId: stage.accountId })).id;
});
afterAll(() => stage.close());

type Person = { id: string; email: string };
let people = 0;

const rest = async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(`${stage.app.appUrl}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${stage.key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { data } = (await answer.json()) as { data: Person };
  expect([method, path, answer.ok]).toEqual([method, path, true]);
  return data;
};
const add = () => rest("POST", "subscribers", { email: `p${++people}@list.example` });
const press = ({ id }: Person, action: string, newsletterId = stage.newsletterId) =>
  fetch(stage.app.links.unsubscribeUrl({ newsletterId, subscriberId: id }), {
    method: "POST",
    body: new URLSearchParams({ action }),
  });
type Target = Parameters<(typeof stage.staff.trpc)["bulkActions"]["start"]["mutate"]>[0]["target"];
const unsubscribe = (target: Target) =>
  stage.staff.trpc.bulkActions.start.mutate({
    newsletterId: stage.newsletterId,
    kind: "unsubscribe",
    target,
  });

/** Imports a list in which a subscriber opted out elsewhere. Staff then unsubscribe the reported people. */
const listed = (reason: "unsubscribed" | "complained") => async (person: Person) => {
  const { imports } = stage.staff.trpc;
  const { newsletterId } = stage;
  const rows = [
    { line: 1, email: person.email, leaving: { reason, at: null } },
    { line: 2, email: `p${++people}@new.example`, status: "pending" as const },
  ];
  const plan = { rows, rejected: [], fileName: null, statusRule: "active" as const };
  const { importId, digest, counts } = await uploadList(imports, { newsletterId }, plan);
  const consent = { source: "the fair", wording: "", people: countAdded(counts) };
  await imports.commit.mutate({ newsletterId, importId, digest, consent });
  await stage.jobs.runDue("work");
  const activeDespiteOptOut = await imports.activeDespiteOptOut.query({ newsletterId, importId });
  if (activeDespiteOptOut.length > 0) await unsubscribe({ ids: activeDespiteOptOut.map(({ id }) => id) });
};

const ways: [way: string, sayNo: (person: Person) => Promise<unknown>][] = [
  ["staff unsubscribe them", ({ id }) => unsubscribe({ ids: [id] })],
  [
    "staff unsubscribe who matches a filter",
    ({ email }) =>
      unsubscribe({
        filter: { filters: [{ match: "all", conditions: [{ about: "search", value: email }], not: [] }] },
      }),
  ],
  ["an imported list says that they unsubscribed", listed("unsubscribed")],
  ["an imported list says that they complained", listed("complained")],
  ["REST DELETE", ({ id }) => rest("DELETE", `subscribers/${id}`)],
  ["their address is suppressed", ({ email }) => rest("POST", "suppressions", [{ email, reason: "manual" }])],
  ["they press the button of their unsubscribe link", (person) => press(person, "unsubscribe")],
  [
    "they leave all newsletters from another one",
    async ({ email }) => {
      const other = await stage.staff.trpc.people.add.mutate({ newsletterId: otherId, person: { email } });
      await press(other, "unsubscribeAll", otherId);
    },
  ],
];

const activeOf = (...some: Person[]) =>
  stage.sql("SELECT email FROM subscribers WHERE status = 'active' AND email = ANY ($1)", [
    some.map(({ email }) => email),
  ]);

test.each(ways)("%s: the undo of an earlier bulk unsubscribe leaves them unsubscribed", async (_, sayNo) => {
  const [person, bystander] = [await add(), await add()];
  const { id } = await unsubscribe({ ids: [person.id, bystander.id] });
  await sayNo(person);
  await stage.staff.trpc.bulkActions.undo.mutate({ newsletterId: stage.newsletterId, id });
  expect(await activeOf(person, bystander)).toEqual([{ email: bystander.email }]);
});

test("pressing Unsubscribe on the confirmation page: the undo of an earlier bulk unsubscribe leaves them unsubscribed", async () => {
  const email = "asked@list.example";
  const person = await rest("POST", "subscribers", { email, status: "pending" });
  await stage.jobs.runDue("mail-batch", "mail-send");
  const mail = stage.fake.mails.find(({ to }) => [to].flat().includes(email));
  const link = /https?:\/\/\S+\/confirm\/[\w-]+/.exec(mail?.text ?? "")?.[0] as string;
  const pressPage = (action: string) =>
    fetch(new URL(new URL(link).pathname, stage.urls[0]), {
      method: "POST",
      body: new URLSearchParams({ action }),
    });
  await pressPage("confirm");
  const { id } = await unsubscribe({ ids: [person.id] });
  await pressPage("unsubscribe");
  await stage.staff.trpc.bulkActions.undo.mutate({ newsletterId: stage.newsletterId, id });
  expect(await activeOf(person)).toEqual([]);
});
