import { expect, test } from "vitest";
import { type Mover, mayMove, statuses } from "./status-moves";

const movers: Mover[] = ["link", "key", "staff", "operator"];

test("a link confirms a pending person and nobody else", () => {
  expect(statuses.filter((from) => mayMove(from, "active", "link"))).toEqual(["pending"]);
});

test("nobody sets a person active who unsubscribed; once they are asked again, their own link does", () => {
  expect(movers.filter((mover) => mayMove("unsubscribed", "active", mover))).toEqual([]);
  expect(movers.filter((mover) => mayMove("returning", "active", mover))).toEqual(["link"]);
});

test("the newsletter can ask anyone again; a link only who unsubscribed", () => {
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
