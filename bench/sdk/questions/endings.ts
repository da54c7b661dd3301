import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { table } from "../../table.ts";
import { type Bench, type Pair, startPair } from "../bench.ts";

const sigtermAfterMs = 50;
const settleMs = 300;

/** Ten errors, then the end: how many arrive, and how many once the next process has started. */
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
    ["10 errors, then", "process.exit", "uncaught (of 11)", "SIGTERM", "SIGTERM, spool: now, next start"],
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
  const pair = await startPair(bench, adapter, "ending.cjs", [], { spool });
  const now = await arrivedAfter(pair, "capture");
  await pair.sink.stop();
  const next = await startPair(bench, adapter, "ending.cjs", [], { spool });
  await next.program.said();
  await next.program.ask({ run: "nothing" });
  await delay(6_000);
  const { errors } = await next.sink.ask<{ errors: number }>({});
  await Promise.all([next.program.stop(), next.sink.stop()]);
  return `${now}, ${now + errors}`;
}
