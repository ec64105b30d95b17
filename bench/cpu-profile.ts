import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { findInSource } from "../server/kernel/source-positions";

/** The part of V8's .cpuprofile that is read here. Places count from 0. */
export interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
    children?: number[];
  }[];
  samples: number[];
  /** Microseconds since the sample before. */
  timeDeltas: number[];
}

export interface Spent {
  /** Microseconds by area, largest first. */
  areas: [string, number][];
  /** Microseconds by function and its area, largest first. */
  functions: [string, number][];
  idleMicros: number;
  totalMicros: number;
}

const idle = "idle";
const ofV8: Record<string, string> = {
  "(idle)": idle,
  "(garbage collector)": "garbage collection",
  "(program)": "native: system calls, libuv, V8",
  "(root)": "native: system calls, libuv, V8",
};

const partsOfNode: [RegExp, string][] = [
  [/deps\/undici|fetch|webstreams/, "node: fetch"],
  [/http/, "node: http"],
  [/stream|[:/]net$/, "node: streams, sockets"],
  [/async_hooks|async_local_storage|process\/|timers|task_queues|events/, "node: promises, timers, events"],
  [/crypto/, "node: crypto"],
  [/buffer|string_decoder|encoding/, "node: buffers, text"],
  [/url/, "node: url"],
];

/** Sums a profile's own times by area: a package, a folder of server/, Node's internals. @param root the checkout */
export function spentByArea(profile: CpuProfile, root: string): Spent {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])),
  );

  /** Built-in functions (JSON.parse, a hash, a regular expression) have no address: they count for their caller. */
  function areaOf(id: number): string {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = nodes.get(at)?.callFrame;
      if (frame && Object.hasOwn(ofV8, frame.functionName)) return ofV8[frame.functionName] as string;
      if (frame?.url) return nameArea(frame.url.startsWith("file:") ? sourceOf(root, frame) : frame.url);
    }
    return "unknown";
  }

  const perNode = new Map<number, number>();
  profile.samples.forEach((id, i) => {
    // The time up to the next sample is what this one stands for.
    perNode.set(id, (perNode.get(id) ?? 0) + Math.max(0, profile.timeDeltas[i + 1] ?? 0));
  });

  const areas = new Map<string, number>();
  const functions = new Map<string, number>();
  for (const [id, micros] of perNode) {
    const area = areaOf(id);
    add(areas, area, micros);
    const name = nodes.get(id)?.callFrame.functionName || "(anonymous)";
    if (area !== idle) add(functions, Object.hasOwn(ofV8, name) ? area : `${name} · ${area}`, micros);
  }
  const idleMicros = areas.get(idle) ?? 0;
  areas.delete(idle);
  return {
    areas: largestFirst(areas),
    functions: largestFirst(functions),
    idleMicros,
    totalMicros: idleMicros + sum(areas.values()),
  };
}

/** An area's name for a source: relative to the checkout, a `node:` or a `wasm:` address. */
function nameArea(source: string): string {
  if (source.startsWith("node:"))
    return partsOfNode.find(([pattern]) => pattern.test(source))?.[1] ?? "node: other";
  if (source.startsWith("wasm:")) return "prisma"; // the query compiler is the product's only WebAssembly
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
  if (inPackage) {
    if (inPackage === "prisma" || inPackage.startsWith("@prisma/")) return "prisma";
    if (/^(pg|pg-(pool|protocol|types|connection-string)|postgres-.*|pgpass)$/.test(inPackage)) return "pg";
    return inPackage;
  }
  if (source.includes("db/generated/")) return "prisma";
  return /(?:^|\/)(server\/[^/]+)/.exec(source)?.[1] ?? source;
}

/** The source behind a place in a bundle; other files are their own source. */
function sourceOf(
  root: string,
  { url, lineNumber, columnNumber }: CpuProfile["nodes"][0]["callFrame"],
): string {
  const file = fileURLToPath(url);
  return findInSource(file, { line: lineNumber, column: columnNumber })?.source ?? relative(root, file);
}

function add(sums: Map<string, number>, name: string, micros: number): void {
  sums.set(name, (sums.get(name) ?? 0) + micros);
}

function largestFirst(sums: Map<string, number>): [string, number][] {
  return [...sums].sort((a, b) => b[1] - a[1]);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
