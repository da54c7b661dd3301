import { table } from "../../table.ts";
import { type Bench, shown, startPair } from "../bench.ts";

interface Figures {
  readonly callerUs: number;
  readonly cpuUs: number;
  readonly flushMs: number;
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
}

/** Bursts before the one that is measured, so that V8 has compiled the code. */
const burstsToWarmUp = 2;

/**
 * The measurements of one client process: bursts, then a second of errors at a steady pace; and how many errors arrived
 * of the first burst.
 */
interface Taken {
  readonly burst: Figures;
  readonly laterBurst: Figures;
  readonly paced: Figures;
  readonly errors: number;
}

/**
 * Measures the cost of a captured error: 1,000 at once, and 1,000 in a second. The clients take turns in each round.
 */
export async function captures(bench: Bench): Promise<string> {
  const taken = bench.adapters.map((): Taken[] => []);
  for (let round = 0; round < bench.rounds; round++) {
    for (const [index, adapter] of bench.adapters.entries()) taken[index]?.push(await take(bench, adapter));
  }
  const burst = ["µs in the caller", "cpu µs/error", "flush ms", "of 1,200", "third: cpu µs/error"];
  const headings = ["captureException", ...burst, "at 1,000/s: loop p99 ms", "max ms", "cpu µs/error"];
  return table(
    headings,
    bench.adapters.map(({ id }, index) => rowOf(id, taken[index] ?? [])),
  );
}

async function take(bench: Bench, adapter: Bench["adapters"][number]): Promise<Taken> {
  const { sink, program } = await startPair(bench, adapter, "capture.cjs");
  await program.said();
  await sink.ask({ reset: true });
  const burst = await program.ask<Figures>({ run: "burst" });
  const { errors } = await sink.ask<{ errors: number }>({});
  let laterBurst = burst;
  for (let count = 0; count < burstsToWarmUp; count++) laterBurst = await program.ask<Figures>({ run: "burst" });
  const paced = await program.ask<Figures>({ run: "paced" });
  await Promise.all([sink.stop(), program.stop()]);
  return { burst, laterBurst, paced, errors };
}

function rowOf(id: string, taken: readonly Taken[]): string[] {
  const of = (value: (one: Taken) => number, digits = 0): string => shown(taken.map(value), digits);
  return [
    id,
    of(({ burst }) => burst.callerUs),
    of(({ burst }) => burst.cpuUs / 1_000),
    of(({ burst }) => burst.flushMs),
    // 200 came before, to warm up.
    of(({ errors }) => errors),
    of(({ laterBurst }) => laterBurst.cpuUs / 1_000),
    of(({ paced }) => paced.loopP99Ms, 1),
    of(({ paced }) => paced.loopMaxMs, 1),
    of(({ paced }) => paced.cpuUs / 1_000),
  ];
}
