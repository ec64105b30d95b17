import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { NewSubscriber } from "@/server/subscribers/schema/subscriber";
import { bulkCurl } from "./bulk-curl";

describe("a list as an API call", () => {
  it("is what a shell hands on to the API: each person once, with a status", () => {
    const rows = [
      { line: 1, email: "ada@x.com", name: "Ada O'Neill" },
      {
        line: 2,
        email: "grace@x.com",
        name: "",
        status: "active" as const,
        fields: { seats: 3 },
        tags: ["VIP"],
      },
      { line: 3, email: "alan@x.com", name: 'Alan "the $HOME" `id` \\ Turing' },
    ];
    const call = bulkCurl("https://rollcall.example", rows, "pending");
    // A shell says what curl would have been given.
    const printing = call.replace(/^curl /, "printf '%s\\0' ");
    const given = execFileSync("sh", ["-c", printing], { encoding: "utf8" }).split("\0");
    expect(given[0]).toBe("https://rollcall.example/api/v1/subscribers/bulk");
    const people = JSON.parse(given[6] ?? "");
    expect(people).toEqual([
      { email: "ada@x.com", name: "Ada O'Neill", status: "pending" },
      { email: "grace@x.com", status: "active", fields: { seats: 3 }, tags: ["VIP"] },
      { email: "alan@x.com", name: 'Alan "the $HOME" `id` \\ Turing', status: "pending" },
    ]);
    for (const person of people) expect(NewSubscriber.safeParse(person).success).toBe(true);
  });
});
