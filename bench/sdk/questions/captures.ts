import { table } from "../../table.ts";
import { type Bench, shown, startPair } from "../bench.ts";

interface Figures {
  readonly callerUs: number;
  readonly cpuUs: number;
  readonly flushMs: number;
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
}

/** What a captured error costs: 1,000 at once, and 1,000 in a second. */
export async function captures(bench: Bench): Promise<string> {
  const rows: string[][] = [];
  for (const adapter of bench.adapters) {
    const taken: { burst: Figures; paced: Figures; errors: number }[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      const { sink, program } = await startPair(bench, adapter, "capture.cjs");
      await program.said();
      await sink.ask({ reset: true });
      const burst = await program.ask<Figures>({ run: "burst" });
      const { errors } = await sink.ask<{ errors: number }>({});
      const paced = await program.ask<Figures>({ run: "paced" });
      taken.push({ burst, paced, errors });
      await Promise.all([sink.stop(), program.stop()]);
    }
    const of = (value: (one: (typeof taken)[number]) => number, digits = 0): string => shown(taken.map(value), digits);
    rows.push([
      adapter.id,
      of(({ burst }) => burst.callerUs),
      of(({ burst }) => burst.cpuUs / 1_000),
      of(({ burst }) => burst.flushMs),
      // 200 came before, to warm up.
      of(({ errors }) => errors),
      of(({ paced }) => paced.loopP99Ms, 1),
      of(({ paced }) => paced.loopMaxMs, 1),
      of(({ paced }) => paced.cpuUs / 1_000),
    ]);
  }
  const burst = ["µs in the caller", "cpu µs/error", "flush ms", "of 1,200"];
  return table(["captureException", ...burst, "at 1,000/s: loop p99 ms", "max ms", "cpu µs/error"], rows);
}
