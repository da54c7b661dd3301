import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import { eventsPerBatch } from "./batches.ts";
import { ChildProgram } from "./child-program.ts";
import type { FullQueueFigures, LoadFigures, ServerFigures } from "./figures.ts";

const { values: options } = parseArgs({
  options: {
    batches: { type: "string", default: "2000" },
    rounds: { type: "string", default: "3" },
    rate: { type: "string", default: "12000,15000" },
    seconds: { type: "string", default: "8" },
    only: { type: "string" },
  },
});
const mebibyte = 1_048_576;
const warmUpSeconds = 2;
/** Acknowledged events that can't be found by then are reported as late. */
const drainMs = 15_000;

if (options.only !== "path") await fullQueue();
if (options.only !== "queue") await wholePath();

async function fullQueue(): Promise<void> {
  const rounds: FullQueueFigures[] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    const figures = await inDirectory((directory) =>
      new ChildProgram("full-queue.ts", [directory, options.batches]).said<FullQueueFigures>(),
    );
    rounds.push(figures);
  }
  const of = (value: (figures: FullQueueFigures) => number): number => quantile(rounds.map(value), 0.5);
  const rows = of((one) => one.rows);
  const engine = of((one) => (one.rows / one.engineMs) * 1_000);
  const writer = of((one) => (one.rows / one.writerMs) * 1_000);
  console.log(
    table(
      [`${rows} rows of 1.5 kB, in a queue`, "rows/s", "of engine", "rows/insert", "cpu µs/row", "loop p99 ms", "MiB"],
      [
        ["engine alone, prebuilt (baseline)", engine.toFixed(0), "100%", "10000", "", "", ""],
        [
          ...["writer", writer.toFixed(0), `${((writer / engine) * 100).toFixed(0)}%`],
          of((one) => one.rows / one.inserts).toFixed(0),
          of((one) => (one.cpuMs / one.rows) * 1_000).toFixed(1),
          of((one) => one.loopP99Ms).toFixed(1),
          (of((one) => one.residentBytesMax) / mebibyte).toFixed(0),
        ],
      ],
    ),
  );
}

async function wholePath(): Promise<void> {
  await inDirectory(async (directory) => {
    const server = new ChildProgram("serve.ts", [directory]);
    const load = new ChildProgram("generate-load.ts", []);
    const { port } = await server.said<{ port: number }>();
    const run = (rate: number, seconds: number): Promise<readonly string[]> =>
      measureRate(server, load, { port, batchesPerSecond: rate / eventsPerBatch, seconds });
    const rates = options.rate.split(",").map(Number);
    await run(rates[0] ?? 0, warmUpSeconds);
    const rows: (readonly string[])[] = [];
    for (const rate of rates) rows.push(await run(rate, Number(options.seconds)));
    await Promise.all([server.stop(), load.stop()]);
    const headings = ["202 to queryable, asked events/s (baseline)", "202/s", "queryable/s", "of asked"];
    const more = ["p50 ms", "p99 ms", "late", "rows/insert", "cpu µs/event", "loop p99 ms", "MiB"];
    console.log(`\n${table([...headings, ...more], rows)}`);
  });
}

async function measureRate(
  server: ChildProgram,
  load: ChildProgram,
  order: { port: number; batchesPerSecond: number; seconds: number },
): Promise<readonly string[]> {
  await server.ask<ServerFigures>({});
  const begin = performance.timeOrigin + performance.now();
  const { acknowledged, refused } = await load.ask<LoadFigures>(order);
  const figures = await server.ask<ServerFigures>({});
  const found = new Map(figures.queryable);
  const end = performance.now() + drainMs;
  while (acknowledged.some(([id]) => !found.has(id)) && performance.now() < end) {
    await delay(100);
    for (const [id, at] of (await server.ask<ServerFigures>({})).queryable) found.set(id, at);
  }
  if (refused > 0) console.log(`${refused} batches were refused`);
  const waits = acknowledged.map(([id, at]) => (found.get(id) ?? Number.POSITIVE_INFINITY) - at);
  const moments = [...found.values()];
  const perSecond = (batches: number, ms: number): number => (batches * eventsPerBatch * 1_000) / ms;
  const asked = order.batchesPerSecond * eventsPerBatch;
  const queryable = perSecond(moments.length, Math.max(...moments) - begin);
  const stored = figures.queryable.length * eventsPerBatch;
  return [
    asked.toFixed(0),
    perSecond(acknowledged.length, Math.max(...acknowledged.map(([, at]) => at)) - begin).toFixed(0),
    ...[queryable.toFixed(0), `${((queryable / asked) * 100).toFixed(0)}%`],
    ...[quantile(waits, 0.5).toFixed(0), quantile(waits, 0.99).toFixed(0)],
    String(waits.filter((wait) => !Number.isFinite(wait)).length),
    (stored / figures.inserts).toFixed(0),
    ((figures.cpuMs / stored) * 1_000).toFixed(1),
    figures.loopP99Ms.toFixed(1),
    (figures.residentBytesMax / mebibyte).toFixed(0),
  ];
}

async function inDirectory<Value>(run: (directory: string) => Promise<Value>): Promise<Value> {
  const directory = mkdtempSync(join(tmpdir(), "whence-bench-writer-"));
  try {
    return await run(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
