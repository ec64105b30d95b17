import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { RejectedError } from "./error-of";
import { outageNow, retryQuery, watchOutages } from "./outage";

const away = (code: string | null = "service_unavailable") =>
  new RejectedError({ message: "The database is away.", errors: {}, code });

/** A page with these queries. @returns what each shows */
function open(queries: Record<string, () => Promise<string>>) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: retryQuery, retryDelay: 20 } } });
  const ends = [watchOutages(client)];
  const observers = Object.entries(queries).map(([name, queryFn]) => {
    const observer = new QueryObserver(client, { queryKey: [name], queryFn });
    ends.push(observer.subscribe(() => {}));
    return observer;
  });
  onTestFinished(() => {
    for (const end of ends.reverse()) end();
    client.clear();
  });
  return {
    client,
    results: () => observers.map((observer) => observer.getCurrentResult().data ?? null),
    statuses: () => observers.map((observer) => observer.getCurrentResult().status),
  };
}

test("reports one outage while the database is away, and repeats failed queries until it is back", async () => {
  let isAway = true;
  const ask = async () => {
    if (isAway) throw away();
    return "found";
  };
  const page = open({ one: ask, two: ask });
  await expect.poll(outageNow).toBe("database");
  await expect.poll(page.statuses).toEqual(["error", "error"]);
  expect(outageNow()).toBe("database");
  isAway = false;
  await expect.poll(page.results, { timeout: 8_000 }).toEqual(["found", "found"]);
  expect(outageNow()).toBeNull();
});

test("treats a missing answer as an outage, and never repeats a rejected query", async () => {
  let asked = 0;
  const page = open({
    rejected: async () => {
      asked++;
      throw away("forbidden");
    },
  });
  await expect.poll(page.statuses).toEqual(["error"]);
  expect([asked, outageNow()]).toEqual([1, null]);
  open({
    unreached: async () => {
      throw new TypeError("fetch failed");
    },
  });
  await expect.poll(outageNow).toBe("rollcall");
});

test("reports no outage when one query fails and others succeed", async () => {
  const page = open({ good: async () => "found" });
  const poll = setInterval(() => void page.client.refetchQueries({ queryKey: ["good"] }), 5);
  onTestFinished(() => clearInterval(poll));
  const slow = new QueryObserver(page.client, {
    queryKey: ["slow"],
    queryFn: async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      throw away();
    },
  });
  const seen = new Set<unknown>();
  onTestFinished(slow.subscribe(() => seen.add(outageNow())));
  await expect.poll(() => slow.getCurrentResult().status).toBe("error");
  expect([...seen]).toEqual([null]);
});
