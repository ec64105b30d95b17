import { expect, test } from "vitest";
import { type Mover, mayMove, statuses } from "./status-moves";

const movers: Mover[] = ["link", "key", "staff", "operator"];

test("a link confirms only a pending person", () => {
  expect(statuses.filter((from) => mayMove(from, "active", "link"))).toEqual(["pending"]);
});

test("an unsubscribed person becomes active only by their own link, after another email", () => {
  expect(movers.filter((mover) => mayMove("unsubscribed", "active", mover))).toEqual([]);
  expect(movers.filter((mover) => mayMove("returning", "active", mover))).toEqual(["link"]);
});

test("the newsletter can set anyone to pending; a link only an unsubscribed person", () => {
  for (const from of statuses) {
    const asking = movers.filter((mover) => mayMove(from, "pending", mover));
    const newsletter = ["key", "staff", "operator"];
    expect(asking).toEqual(from === "unsubscribed" ? ["link", ...newsletter] : newsletter);
  }
});

test("anyone can unsubscribe a person, whatever their status", () => {
  for (const from of statuses)
    expect(movers.every((mover) => mayMove(from, "unsubscribed", mover))).toBe(true);
});
