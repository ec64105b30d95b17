import { expect, type Page, test } from "@playwright/test";
import { waitForAnimations } from "./fixtures/accessibility";
import { dashboardOfFile } from "./fixtures/dashboard";
import { check, clipboard, commit, openForm, paste } from "./fixtures/import-form";

const dashboard = dashboardOfFile();

/** With all that fades and slides. */
const moving = { reducedMotion: "no-preference" } as const;

/**
 * The most kB of scripts, as sent, that a page loads at its first visit, before anybody uses it. React and Next are 109 kB
 * of each page of the dashboard.
 */
const budgets: Record<string, number> = {
  "/sign-in": 60,
  "": 193,
  "/people": 200,
  "/imports": 186,
  "/imports/new": 194,
  "/mails": 191,
  "/mails/confirmation": 198,
  "/mails/welcome": 198,
  "/api": 191,
  "/api/webhooks": 187,
  "/suppressions": 184,
  "/settings": 196,
  "/settings/pending": 195,
  "/settings/fields": 188,
  "/settings/tags": 192,
  "/settings/sign-up": 202,
  "/settings/sending": 198,
  "/settings/staff": 196,
  "/settings/log": 193,
  "/settings/you": 201,
};

test("each page loads no more scripts at its first visit than its budget", async () => {
  test.setTimeout(300_000);
  const over: string[] = [];
  for (const [path, budget] of Object.entries(budgets)) {
    const isSignIn = path === "/sign-in";
    const page = await dashboard.open(isSignIn ? "nobody" : "owner");
    await page.goto(isSignIn ? dashboard.url + path : dashboard.at(path));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    const { files, sent, run, inline } = await page.evaluate(() => {
      const files = (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).filter(
        (entry) => entry.name.endsWith(".js"),
      );
      const sum = (size: "encodedBodySize" | "decodedBodySize") =>
        files.reduce((total, file) => total + file[size], 0) / 1000;
      const inline = Array.from(document.scripts, ({ textContent }) => textContent.length);
      return {
        files: files.length,
        sent: sum("encodedBodySize"),
        run: sum("decodedBodySize"),
        inline: inline.reduce((total, length) => total + length, 0) / 1000,
      };
    });
    // The inline scripts of the dashboard's pages are their data.
    const total = Math.round(isSignIn ? sent + inline : sent);
    console.log(
      `    ${path || "overview"}: ${total} kB as sent in ${files} files, ${Math.round(run)} kB as run`,
    );
    if (total > budget) over.push(`${path}: ${total} kB`);
    // As the build compressed them: Next's own compression would make a tenth more.
    if (!isSignIn) expect(sent, path).toBeLessThan(run / 2);
    expect(isSignIn ? inline : files, path).toBeGreaterThan(isSignIn ? 1 : 3);
    await page.close();
  }
  expect(over).toEqual([]);
});

test("the layout does not shift when the panel of a person, the next person or an email opens", async () => {
  const page = await dashboard.open("editor", moving);
  for (const path of ["/people", "/mails"]) {
    await page.goto(dashboard.at(path));
    const links = page.getByRole("main").locator("[data-person], [data-mail]");
    await expect(links.nth(5)).toBeVisible();
    await page.waitForLoadState("networkidle");
    // Cumulative layout shift from here on, also after inputs.
    await page.evaluate(() => {
      const watched = window as unknown as { moved: number; shifts: PerformanceObserver };
      watched.moved = 0;
      watched.shifts = new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          watched.moved += entry.value;
      });
      watched.shifts.observe({ type: "layout-shift" });
    });
    for (const n of [2, 5]) {
      await links.nth(n).click();
      const panel = page.getByRole("complementary");
      await expect(panel.getByRole("heading").first()).toBeVisible();
      await expect(panel.getByRole("status", { name: "Loading" })).toHaveCount(0);
      await page.evaluate(waitForAnimations);
    }
    const moved = await page.evaluate(() => {
      const { moved, shifts } = window as unknown as { moved: number; shifts: PerformanceObserver };
      const rest = shifts.takeRecords() as (PerformanceEntry & { value: number })[];
      return rest.reduce((sum, { value }) => sum + value, moved);
    });
    expect(moved, path).toBeLessThan(0.02);
  }
});

/** Milliseconds of the yardstick on the machine that set the limits, with nothing else running. */
const YARDSTICK_MS = 160;

/** How much slower this machine runs scripts at the moment than the one that set the limits; at least 1. */
async function slowness(page: Page): Promise<number> {
  const took = await page.evaluate(function runYardstick() {
    const lines = Array.from({ length: 100_000 }, (_, i) => `${i}. Ada Lovelace <p${i}@b${i % 500}.org>`);
    const start = performance.now();
    const seen = new Map<string, string[]>();
    for (const line of lines) {
      const [, name = "", local, domain] = /^\d+\. (.+) <(\S+)@(\S+)>$/.exec(line) ?? [];
      seen.set(`${local}@${domain}`.toLowerCase(), name.normalize("NFC").split(" "));
    }
    return performance.now() - start;
  });
  console.log(`    yardstick: ${Math.round(took)} ms`);
  return Math.max(1, took / YARDSTICK_MS);
}

/** The longest of the interactions that this brings about: from the key or click to the next frame on the screen, in ms. */
async function interaction(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const timed = window as unknown as { took: number; watch?: PerformanceObserver };
    timed.took = 0;
    timed.watch ??= new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
        if (entry.interactionId) timed.took = Math.max(timed.took, entry.duration);
    });
    timed.watch.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  await act();
  // Two frames and a moment, for the observer to be told.
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100))),
      ),
  );
  return page.evaluate(() => (window as unknown as { took: number }).took);
}

test("with a hundred rows, each click and keystroke shows within 300 ms", async () => {
  const page = await dashboard.open("editor", moving);
  await page.goto(dashboard.at("/people"));
  await expect(page.locator("tbody tr")).toHaveCount(100);
  await page.waitForLoadState("networkidle");
  const box = (n: number) => page.getByRole("checkbox").nth(n);
  const acts: Record<string, (n: number) => Promise<unknown>> = {
    "select a row": (n) => box(n + 1).click(),
    "select the page": () => box(0).click(),
    "next person (j)": () => page.keyboard.press("j"),
    "person before (k)": () => page.keyboard.press("k"),
    "open a person": async (n) => {
      await page.locator("tbody tr a").nth(n).click();
      await page.getByRole("complementary", { name: "Person" }).waitFor();
    },
    "next person, one open (j)": () => page.keyboard.press("j"),
    "close the person": () => page.keyboard.press("Escape"),
    "type into the search": async (n) => {
      await page.getByRole("searchbox").pressSequentially("reader"[n] as string);
      await page.waitForTimeout(300);
    },
    sort: async () => {
      await page.getByRole("button", { name: "Name" }).click();
      await page.waitForTimeout(200);
    },
    "open a filter": async () => {
      await page.getByRole("button", { name: "Status", exact: true }).click();
      await page.keyboard.press("Escape");
    },
  };
  const slow: string[] = [];
  for (const [name, act] of Object.entries(acts)) {
    const took: number[] = [];
    for (let n = 0; n < 5; n++) took.push(await interaction(page, () => act(n)));
    took.sort((a, b) => a - b);
    const [median, most] = [took[2] as number, took[4] as number];
    console.log(`    ${name}: ${median} ms, at most ${most}`);
    // Not the worst of five: whatever else the machine does falls on one of them now and then.
    if (median >= 300 && median >= 300 * (await slowness(page))) slow.push(`${name}: ${median} ms`);
  }
  expect(slow).toEqual([]);
});

/** Milliseconds from the first key or press of this until the element's first frame. */
async function untilShown(page: Page, selector: string, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate((selector) => {
    let began = Number.NaN;
    for (const sign of ["pointerdown", "keydown"])
      addEventListener(
        sign,
        ({ timeStamp }) => {
          if (Number.isNaN(began)) began = timeStamp;
        },
        { capture: true },
      );
    const shown = new Promise<number>((resolve) => {
      const look = (now: number) =>
        document.querySelector(selector) ? resolve(now - began) : requestAnimationFrame(look);
      requestAnimationFrame(look);
    });
    Object.assign(window, { shown });
  }, selector);
  await act();
  return page.evaluate(() => (window as unknown as { shown: Promise<number> }).shown);
}

test("on a page just opened, the selection bar and ⌘K show within 100 ms", async () => {
  const page = await dashboard.open("editor", moving);
  const took: Record<"bar" | "palette", number[]> = { bar: [], palette: [] };
  for (let n = 0; n < 3; n++) {
    await page.goto(dashboard.at("/people"));
    await expect(page.locator("tbody tr")).toHaveCount(100);
    // What is near loads with the first movement.
    await page.mouse.move(400 + n, 400);
    await page.waitForLoadState("networkidle");
    const select = () => page.getByRole("checkbox").nth(1).click();
    took.bar.push(await untilShown(page, "section[aria-label='Selected people']", select));
    const open = () => page.keyboard.press("ControlOrMeta+k");
    took.palette.push(await untilShown(page, "[role=dialog] input", open));
  }
  for (const [name, all] of Object.entries(took)) {
    const median = all.toSorted((a, b) => a - b)[1] as number;
    console.log(`    ${name}: ${all.map(Math.round).join(", ")} ms`);
    if (median >= 100) expect(median, name).toBeLessThan(100 * (await slowness(page)));
  }
});

test("100,000 lines are parsed within a second with no task over 100 ms; the import survives a reload, and cancelling it leaves no rows", async () => {
  const page = await dashboard.open("editor", clipboard);
  await openForm(page, dashboard);
  const status = page.getByRole("group", { name: "Show only" });
  const lines = Array.from({ length: 100_000 }, (_, i) => `Ada Lovelace <crowd${i}@domain${i % 500}.org>`);
  lines[50_000] = "crowd@gmial.com";
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: "longtask" });
  });
  /** Milliseconds until the list is read, and of the longest task on the way to a list without problems. */
  const readList = async () => {
    await page.evaluate(() => {
      (window as unknown as { tasks: number[] }).tasks.length = 0;
    });
    await paste(page, lines.join("\n"));
    // A correction of an earlier reading does not apply to the list that replaced it.
    await expect(status).toHaveText(/99,999 ready.*1 to fix$/);
    const read = await page.evaluate(() => performance.getEntriesByName("list-read")[0]?.duration ?? 0);
    expect(read).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Use crowd@gmail.com" }).click();
    await expect(status).toHaveText(/100,000 ready$/);
    const task = await page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks));
    console.log(`    read: ${Math.round(read)} ms, longest task: ${task} ms`);
    return { read, task };
  };
  // Other work of the machine may slow one reading. A slow reader is slow each time.
  const readings = [await readList()];
  const best = (of: "read" | "task") => Math.min(...readings.map((reading) => reading[of]));
  const slow = () => best("read") >= 1000 || best("task") > 100;
  while (slow() && readings.length < 3) readings.push(await readList());
  const factor = slow() ? await slowness(page) : 1;
  expect(best("read")).toBeLessThan(1000 * factor);
  expect(best("task")).toBeLessThanOrEqual(100 * factor);

  await page.getByRole("radio", { name: /^Active/ }).check();
  await check(page, "100,000 people");
  await commit(page, "100,000 people");
  const bar = page.getByRole("progressbar", { name: "Rows written" });
  await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow"))).toBeGreaterThan(0);
  await page.reload();
  await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow"))).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("No people were added and no emails were sent.")).toBeVisible();
  const nobody = await dashboard.call("GET", "/subscribers?email=crowd0@domain0.org");
  expect((await nobody.json()).data).toEqual([]);
  await page.getByRole("link", { name: "Back to the list" }).click();
  await expect(status).toHaveText(/100,000 ready/);
});
