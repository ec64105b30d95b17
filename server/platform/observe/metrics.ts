import { statfs } from "node:fs/promises";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { within } from "../../kernel/time";
import { fullVersion } from "../../kernel/version";
import type { Db } from "../db/client";
import { type DatabaseFigures, readFigures } from "./queries/figures";

/** The sources of the figures, read on each request. */
type Sources = {
  db: Db;
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  config: { DATA_DIR: string };
  limiter: { state(): { store: string; degraded: boolean } };
  delivery?: { state(): { pausedMs: number; issue: unknown } } | undefined;
};

const FIGURES_MS = 15_000;
/** An unreachable or slow database must not delay the other figures. */
const FIGURES_WAIT_MS = 3_000;

export function openMetrics() {
  const registry = new Registry();
  const gauges = openGauges(registry);
  const requests = new Histogram({
    name: "rollcall_request_duration_seconds",
    help: "Answered requests and their duration.",
    labelNames: ["operation", "status"],
    registers: [registry],
  });
  let figures: { at: number; read: Promise<DatabaseFigures> } | undefined;
  let collecting = false;

  return {
    /**
     * Counts an answered request. `startedAt` is from `performance.now()`.
     * @param operation one of a fixed set, because labels are kept forever
     */
    observe(operation: string, status: number, startedAt: number): void {
      const labels = { operation, status: `${Math.floor(status / 100)}xx` };
      requests.observe(labels, (performance.now() - startedAt) / 1000);
    },
    /** Returns all figures in Prometheus' text format. The database's figures are at most 15 s old. */
    async text(sources: Sources): Promise<string> {
      // Started on demand, because watching the event loop and garbage collector has a cost.
      if (!collecting) collectDefaultMetrics({ register: registry });
      collecting = true;
      const now = performance.now();
      if (!figures || now - figures.at > FIGURES_MS) figures = { at: now, read: readFigures(sources.db) };
      const [disk, read] = await Promise.all([
        statfs(sources.config.DATA_DIR).catch(() => null),
        within(FIGURES_WAIT_MS, figures.read).catch(() => null),
      ]);
      setGauges(gauges, sources, read);
      setGauge(gauges.diskFree, disk && disk.bavail * disk.bsize);
      setGauge(gauges.diskSize, disk && disk.blocks * disk.bsize);
      return registry.metrics();
    },
  };
}

type Gauges = ReturnType<typeof openGauges>;

function openGauges(registry: Registry) {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `rollcall_${name}`, help, labelNames, registers: [registry] });
  const info = gauge("info", "The version of Rollcall and Node.", "version", "node");
  info.set({ version: fullVersion, node: process.version }, 1);
  return {
    databaseUp: gauge("database_up", "1 while the database answers."),
    databaseSize: gauge("database_size_bytes", "Size of the database on disk."),
    connections: gauge("pool_connections", "Connections to the database of this process.", "state"),
    waiting: gauge("pool_waiting", "Statements that wait for a connection."),
    jobs: gauge("jobs", "Jobs that are due later (scheduled), due, or running (active).", "queue", "state"),
    jobAge: gauge("jobs_oldest_due_seconds", "Waiting time of the oldest due job.", "queue"),
    mails: gauge("mails", "Emails that wait to be sent or need attention.", "state"),
    mailAge: gauge("mails_oldest_seconds", "Age of the oldest of these emails.", "state"),
    subscribers: gauge("subscribers", "People of all newsletters.", "status"),
    paused: gauge("delivery_paused_seconds", "Seconds until sending resumes, because Resend asked to wait."),
    issue: gauge("delivery_issue", "1 while the last attempt to send has failed."),
    mailsPaused: gauge("mails_paused", "1 while sending is paused by an operator or a restore."),
    backupAge: gauge("backup_age_seconds", "Age of the last complete backup in BACKUP_DIR."),
    degraded: gauge(
      "limiter_degraded",
      "1 while Redis is unavailable and each process counts on its own.",
      "store",
    ),
    diskFree: gauge("disk_free_bytes", "Free space on the disk of DATA_DIR."),
    diskSize: gauge("disk_size_bytes", "Size of the disk of DATA_DIR."),
  };
}

/** Omits an unknown figure, because an old value would look current. */
function setGauge(gauge: Gauge, value: number | null | undefined): void {
  gauge.reset();
  if (value == null) gauge.remove();
  else gauge.set(value);
}

/** Sets one figure per row, with the row's labels. */
function setEach<Row extends object>(
  gauge: Gauge,
  rows: Row[],
  labels: (keyof Row)[],
  figure: keyof Row,
): void {
  gauge.reset();
  for (const row of rows) {
    const names = Object.fromEntries(labels.map((label) => [label, String(row[label])]));
    if (row[figure] !== null) gauge.set(names, Number(row[figure]));
  }
}

function setGauges(
  gauges: Gauges,
  { pool, limiter, delivery }: Sources,
  figures: DatabaseFigures | null,
): void {
  gauges.databaseUp.set(figures ? 1 : 0);
  gauges.connections.set({ state: "idle" }, pool.idleCount);
  gauges.connections.set({ state: "busy" }, pool.totalCount - pool.idleCount);
  gauges.waiting.set(pool.waitingCount);
  const { jobs = [], mails = [], subscribers = [] } = figures ?? {};
  const due = jobs.filter(({ state }) => state === "due");
  setEach(gauges.jobs, jobs, ["queue", "state"], "jobs");
  setEach(gauges.jobAge, due, ["queue"], "oldestSeconds");
  setEach(gauges.mails, mails, ["state"], "mails");
  setEach(gauges.mailAge, mails, ["state"], "oldestSeconds");
  setEach(gauges.subscribers, subscribers, ["status"], "people");
  setGauge(gauges.databaseSize, figures?.bytes);
  setGauge(gauges.mailsPaused, figures && Number(figures.mailsPaused));
  setGauge(gauges.backupAge, figures?.backupAgeSeconds);
  const state = delivery?.state();
  setGauge(gauges.paused, state && state.pausedMs / 1000);
  setGauge(gauges.issue, state && Number(state.issue !== null));
  setEach(gauges.degraded, [limiter.state()], ["store"], "degraded");
}
