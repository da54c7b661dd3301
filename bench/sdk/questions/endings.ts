import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { table } from "../../table.ts";
import { type Bench, type Pair, startPair, startProgram } from "../bench.ts";
import { Program } from "../program.ts";

const sigtermAfterMs = 50;
const settleMs = 300;
/** A client looks for spools of other processes a second after the start, and sends them with the next batch. */
const nextStartMs = 8_000;

/** Measures how many of ten errors arrive when the process ends, and how many once the next process has started. */
export async function endings(bench: Bench): Promise<string> {
  const rows: string[][] = [];
  for (const adapter of bench.adapters.filter(({ id }) => id !== "floor")) {
    const row = [adapter.id];
    for (const run of ["exit", "uncaught", "capture"]) {
      const pair = await startPair(bench, adapter, "ending.cjs");
      row.push(String(await arrivedAfter(pair, run)));
      await pair.sink.stop();
    }
    row.push(await withSpool(bench, adapter));
    rows.push(row);
  }
  return table(
    ["10 errors, then", "process.exit", "uncaught (of 11)", "SIGTERM: now", "SIGTERM: now, next start"],
    rows,
  );
}

async function arrivedAfter({ sink, program }: Pair, run: string): Promise<number> {
  await program.said();
  await program.ask({ run });
  if (run === "capture") {
    await delay(sigtermAfterMs);
    await program.end("SIGTERM");
  } else await program.end();
  await delay(settleMs);
  return (await sink.ask<{ errors: number }>({})).errors;
}

async function withSpool(bench: Bench, adapter: Bench["adapters"][number]): Promise<string> {
  if (adapter.id !== "whence") return "";
  const spool = join(bench.directory, "spool");
  mkdirSync(spool, { recursive: true });
  const sink = new Program(bench.node, "sink.cjs", []);
  const url = `http://127.0.0.1:${(await sink.said<{ port: number }>()).port}`;
  const start = (): Program => startProgram(bench, adapter, "ending.cjs", [url], { spool });
  const now = await arrivedAfter({ sink, url, program: start() }, "capture");
  const next = start();
  await next.said();
  await next.ask({ run: "nothing" });
  await delay(nextStartMs);
  const { errors } = await sink.ask<{ errors: number }>({});
  await Promise.all([next.stop(), sink.stop()]);
  return `${now}, ${errors}`;
}
