import { expect, test } from "vitest";
import { type TimelineMail, timelineOf } from "./timeline";

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 1) + minutes * 60_000);
const WEEK = 7 * 24 * 60;
const person = {
  id: "p",
  source: "api",
  sourceId: "k",
  sourceName: "Shop",
  createdAt: at(0),
  confirmedAt: null,
};
const mail: TimelineMail = {
  id: "m",
  state: "sent",
  errorMessage: null,
  deferredUntil: null,
  createdAt: at(0),
  frozenAt: at(1),
  finishedAt: at(1),
  linkExpiresAt: at(1 + WEEK),
  delayedAt: null,
  deliveredAt: null,
  bouncedAt: null,
  bounceReason: null,
  complainedAt: null,
};
const kinds = (one: Partial<TimelineMail>, now: Date, confirmedAt: Date | null = null) =>
  timelineOf({ ...person, confirmedAt }, [], [{ ...mail, ...one }], now)
    .map(({ kind }) => kind.replace("mail.", ""))
    .reverse();

test("a mail is asked for, sent, delivered, and its link ends, each at its time", () => {
  expect(kinds({}, at(2))).toEqual(["created", "asked", "sent"]);
  expect(kinds({ deliveredAt: at(2), delayedAt: at(1) }, at(3))).toEqual([
    "created",
    "asked",
    "sent",
    "delivered",
  ]);
  expect(kinds({ delayedAt: at(2) }, at(3))).toEqual(["created", "asked", "sent", "delayed"]);
  expect(kinds({ deliveredAt: at(2) }, at(2 + WEEK))).toEqual([
    "created",
    "asked",
    "sent",
    "delivered",
    "expired",
  ]);
});

test("the link of somebody who has confirmed in time does not end, nor one that never left", () => {
  expect(kinds({}, at(9 + WEEK), at(10))).not.toContain("expired");
  expect(kinds({}, at(9 + WEEK), at(2 + WEEK))).toContain("expired");
  for (const state of ["failed", "cancelled", "deferred", "waiting"])
    expect(kinds({ state }, at(9 + WEEK))).not.toContain("expired");
});

test("what has gone wrong says why", () => {
  const [bounced] = timelineOf(
    person,
    [],
    [{ ...mail, bouncedAt: at(3), bounceReason: "no such user" }],
    at(4),
  );
  expect(bounced).toMatchObject({ kind: "mail.bounced", mail: { id: "m", reason: "no such user" } });
  const [failed] = timelineOf(person, [], [{ ...mail, state: "failed", errorMessage: "Rejected." }], at(4));
  expect(failed).toMatchObject({ kind: "mail.failed", mail: { reason: "Rejected." } });
  const waiting = {
    ...mail,
    state: "deferred",
    frozenAt: null,
    finishedAt: null,
    deferredUntil: at(9),
    errorMessage: "Held.",
  };
  expect(timelineOf(person, [], [waiting], at(4))[0]).toMatchObject({
    kind: "mail.deferred",
    mail: { reason: "Held.", deferredUntil: at(9) },
  });
});

test("what bears one time stands in the order in which it happened", () => {
  const event = {
    id: "e",
    kind: "changed",
    actorKind: "staff",
    actorName: "Ada",
    address: null,
    detail: null,
    at: at(0),
  };
  const all = timelineOf(
    person,
    [event],
    [{ ...mail, frozenAt: at(0), finishedAt: null, state: "logged" }],
    at(1),
  );
  expect(all.at(-1)?.kind).toBe("created");
});
