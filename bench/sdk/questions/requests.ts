import { table } from "../../table.ts";
import type { Adapter } from "../adapters.ts";
import { type Bench, median, type Pair, shown, startPair } from "../bench.ts";
import { Program } from "../program.ts";

/** Until V8 has compiled what a request runs. */
const warmUpRequests = 12_000;
const windowRequests = 5_000;
const windowsPerPair = 3;

/** One window: so many requests, one after the other on each connection. */
interface Window {
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly p99Ms: number;
}

/**
 * What a request costs a service with the client and without: both are alive at once and are asked in turn, so that
 * what else the machine does meets both.
 */
export async function requests(bench: Bench): Promise<string> {
  const upstream = new Program(bench.node, "sink.cjs", []);
  const { port } = await upstream.said<{ port: number }>();
  const load = new Program(bench.node, "load.cjs", []);
  await load.said();
  const rows: string[][] = [];
  for (const framework of ["express", "fastify"]) {
    for (const called of ["", `http://127.0.0.1:${port}`]) {
      for (const adapter of bench.adapters) {
        rows.push(await compare(bench, load, adapter, [framework, called, bench.frameworks]));
      }
    }
  }
  await Promise.all([upstream.stop(), load.stop()]);
  const headings = ["requests", "client", "cpu ×none", "+ µs", "req/s ×none", "p99 ×none", "p99 ms"];
  return table(headings, rows);
}

async function compare(bench: Bench, load: Program, adapter: Adapter, args: readonly string[]): Promise<string[]> {
  const [baseline = adapter] = bench.adapters;
  const pairs: [without: Window, with_: Window][] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const without = await startPair(bench, baseline, "app.cjs", args);
    const with_ = await startPair(bench, adapter, "app.cjs", args);
    const ports = [await portOf(without), await portOf(with_)] as const;
    for (const port of ports) await load.ask({ port, requests: warmUpRequests });
    for (let window = 0; window < windowsPerPair; window++) {
      const first = await measure(load, without, ports[0]);
      pairs.push([first, await measure(load, with_, ports[1])]);
    }
    await Promise.all([without, with_].flatMap(({ sink, program }) => [sink.stop(), program.stop()]));
  }
  const ratio = (of: (window: Window) => number): string => {
    const ratios = pairs.map(([without, with_]) => of(with_) / of(without));
    return `${shown(ratios, 2)} [${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}]`;
  };
  return [
    `${args[0]}, ${args[1] === "" ? "no call" : "one call"}`,
    adapter.id,
    ratio(({ cpuUs }) => cpuUs),
    median(pairs.map(([without, with_]) => with_.cpuUs - without.cpuUs)).toFixed(0),
    ratio(({ perSecond }) => perSecond),
    ratio(({ p99Ms }) => p99Ms),
    shown(
      pairs.map(([, with_]) => with_.p99Ms),
      1,
    ),
  ];
}

async function portOf({ program }: Pair): Promise<number> {
  return (await program.said<{ port: number }>()).port;
}

async function measure(load: Program, { program }: Pair, port: number): Promise<Window> {
  const before = await program.ask<NodeJS.CpuUsage>({});
  const { ms, p99Ms } = await load.ask<{ ms: number; p99Ms: number }>({ port, requests: windowRequests });
  const after = await program.ask<NodeJS.CpuUsage>({});
  const cpuUs = (after.user - before.user + after.system - before.system) / windowRequests;
  return { cpuUs, perSecond: (windowRequests / ms) * 1_000, p99Ms };
}
