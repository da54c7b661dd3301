import { quantile } from "../../quantile.ts";
import { table } from "../../table.ts";
import { type Bench, median, type Pair, startPair } from "../bench.ts";
import { Program } from "../program.ts";

/** Requests until V8 has compiled the code. */
const warmUpRequests = 6_000;
/**
 * Short, so that other load on the machine affects both of a pair; many, so that the median ignores what affects one.
 */
const windowRequests = 400;
const windowsPerRound = 30;
const msPerSecond = 1_000;

/** One window: a number of requests, one after another on each connection. */
interface Window {
  /** CPU time of the service's process per request. */
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly timesMs: readonly number[];
}

/** A service under load. */
interface Service {
  readonly pair: Pair;
  readonly port: number;
}

/** A window with the client, and the baseline's just before it. */
interface Compared {
  readonly without: Window;
  readonly own: Window;
}

/**
 * Measures a request's cost with and without the client: all services run at once and get requests in turn, in short
 * windows. Compares the CPU time of the service's process in two adjacent windows.
 */
export async function requests(bench: Bench): Promise<string> {
  const upstream = new Program(bench.node, "sink.cjs", []);
  const { port } = await upstream.said<{ port: number }>();
  const load = new Program(bench.node, "load.cjs", []);
  await load.said();
  const rows: string[][] = [];
  for (const framework of ["express", "fastify"]) {
    for (const called of ["", `http://127.0.0.1:${port}`]) {
      const title = `${framework}, ${called === "" ? "no call" : "one call"}`;
      const compared = await compare(bench, load, [framework, called, bench.frameworks]);
      rows.push(...compared.map((windows, index) => rowOf(title, bench.adapters[index]?.id ?? "", windows)));
    }
  }
  await Promise.all([upstream.stop(), load.stop()]);
  const headings = ["requests", "client", "cpu µs", "cpu ×none [95 %]", "+ µs", "req/s ×none", "p99 ×none", "p99 ms"];
  return table(headings, rows);
}

/** Compares by client, including the baseline with itself, which shows the remaining noise. */
async function compare(bench: Bench, load: Program, args: readonly string[]): Promise<Compared[][]> {
  const compared = bench.adapters.map((): Compared[] => []);
  const [none] = bench.adapters;
  if (!none) return compared;
  for (let round = 0; round < bench.rounds; round++) {
    const baseline = await startService(bench, load, none, args);
    const services: Service[] = [];
    for (const adapter of bench.adapters) services.push(await startService(bench, load, adapter, args));
    for (let turn = 0; turn < windowsPerRound; turn++) {
      for (const [index, service] of services.entries()) {
        const without = await measure(load, baseline);
        compared[index]?.push({ without, own: await measure(load, service) });
      }
    }
    for (const { pair } of [baseline, ...services]) await Promise.all([pair.sink.stop(), pair.program.stop()]);
  }
  return compared;
}

async function startService(
  bench: Bench,
  load: Program,
  adapter: Bench["adapters"][number],
  args: readonly string[],
): Promise<Service> {
  const pair = await startPair(bench, adapter, "app.cjs", args);
  const { port } = await pair.program.said<{ port: number }>();
  await load.ask({ port, requests: warmUpRequests });
  return { pair, port };
}

async function measure(load: Program, { pair: { program }, port }: Service): Promise<Window> {
  const before = await program.ask<NodeJS.CpuUsage>({});
  const { ms, timesMs } = await load.ask<{ ms: number; timesMs: number[] }>({ port, requests: windowRequests });
  const after = await program.ask<NodeJS.CpuUsage>({});
  const cpuUs = (after.user - before.user + after.system - before.system) / windowRequests;
  return { cpuUs, perSecond: (windowRequests / ms) * msPerSecond, timesMs };
}

function rowOf(title: string, id: string, compared: readonly Compared[]): string[] {
  const ratios = (of: (window: Window) => number): number[] =>
    compared.map(({ without, own }) => of(own) / of(without));
  const cpu = ratios(({ cpuUs }) => cpuUs);
  const [low, high] = medianBounds(cpu);
  const p99 = (of: (one: Compared) => Window): number =>
    quantile(
      compared.flatMap((one) => of(one).timesMs),
      0.99,
    );
  const ownP99 = p99(({ own }) => own);
  return [
    title,
    id,
    median(compared.map(({ own }) => own.cpuUs)).toFixed(0),
    `${median(cpu).toFixed(2)} [${low.toFixed(2)}–${high.toFixed(2)}]`,
    median(compared.map(({ without, own }) => own.cpuUs - without.cpuUs)).toFixed(0),
    median(ratios(({ perSecond }) => perSecond)).toFixed(2),
    (ownP99 / p99(({ without }) => without)).toFixed(2),
    ownP99.toFixed(1),
  ];
}

/** Returns the bounds of the true median with 95% confidence: ranks of the binomial distribution, normal from 20 on. */
function medianBounds(values: readonly number[]): [low: number, high: number] {
  const halfWidth = 0.98 / Math.sqrt(values.length);
  return [quantile(values, 0.5 - halfWidth), quantile(values, 0.5 + halfWidth)];
}
