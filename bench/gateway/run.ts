import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { builtCollector } from "../clients/collector.ts";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import { type CollectorKind, collectorKinds, startCollectorBench } from "./collector.ts";
import { type Encoding, formats } from "./figures.ts";
import { type Bench, kinds, startBench } from "./measure.ts";

const { values: options } = parseArgs({
  options: {
    batch: { type: "string", default: "1,10,50,500" },
    format: { type: "string", default: "whence" },
    encoding: { type: "string", default: "plain,gzip" },
    against: { type: "string", default: "embedded,jetstream" },
    /** Where a Collector was built before, or is to be kept; without it, none is measured. */
    collector: { type: "string" },
    /** Of spans of OpenTelemetry, how many of 100 have an exception. */
    failing: { type: "string", default: "100" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "2" },
    soak: { type: "string" },
    profile: { type: "string" },
  },
});
const failingPercent = Number(options.failing);
const warmUpMs = 1_500;
const mebibyte = 1_048_576;
/** The share of the saturation rate. */
const soakShare = 0.8;
const soakStepMs = 10_000;
/** Small batches need more connections to fill a group commit; large ones would only wait. */
const connectionsFor = (events: number): number => Math.min(64, Math.max(8, Math.round(3200 / events)));

type Kind = (typeof kinds)[number] | "own" | CollectorKind;

const names: Readonly<Record<Kind, string>> = {
  bare: "bare route that parses (baseline)",
  embedded: "gateway, embedded queue",
  jetstream: "gateway, jetstream queue",
  own: "gateway, embedded queue, our own format",
  collector: "Collector, OTLP to a file, not synced",
  synced: "Collector, OTLP to its queue on disk, synced",
};

/** The result of one round. */
interface Measured {
  readonly kind: Kind;
  readonly events: number;
  readonly encoding: Encoding;
  readonly eventsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly loopP99Ms: number;
  readonly residentBytes: number;
  readonly cpuUsPerEvent: number;
}

const collector = options.collector === undefined ? undefined : await builtCollector(options.collector);
const format = formats.find((name) => name === options.format) ?? "whence";
const measuredKinds: readonly Kind[] = [
  ...kinds.filter((kind) => kind === "bare" || options.against.split(",").includes(kind)),
  ...(format === "whence" ? [] : ["own" as const]),
  ...(collector === undefined ? [] : collectorKinds),
];
const encodings = options.encoding.split(",").map((name): Encoding => (name === "gzip" ? "gzip" : "plain"));
// An envelope of Sentry's clients has one event.
const sizes = format === "sentry" ? [1] : options.batch.split(",").map(Number);

if (options.soak === undefined) await compare();
else await soak(Number(options.soak));

async function compare(): Promise<void> {
  const measured: Measured[] = [];
  for (const encoding of encodings) {
    for (const events of sizes) {
      for (let round = 0; round < Number(options.rounds); round++) {
        const order = round % 2 === 0 ? measuredKinds : [...measuredKinds].reverse();
        for (const kind of order) measured.push(await measure(kind, events, encoding));
      }
      print(measured.filter((one) => one.events === events && one.encoding === encoding));
    }
  }
}

async function measure(kind: Kind, events: number, encoding: Encoding): Promise<Measured> {
  const bench = await start(kind);
  try {
    const sent = kind === "own" ? "whence" : format;
    const load = { format: sent, events, encoding, failingPercent, connections: connectionsFor(events) } as const;
    const measuredMs = Number(options.seconds) * 1_000;
    await bench.load({ ...load, warmUpMs: 0, measuredMs: warmUpMs });
    const before = await bench.figures();
    const { batchesPerSecond, p50Ms, p99Ms, refused } = await bench.load({ ...load, warmUpMs: 0, measuredMs });
    const { loopP99Ms, residentBytes, cpuMs } = await bench.figures();
    if (Object.keys(refused).length > 0) throw new Error(`${kind} refused batches: ${JSON.stringify(refused)}`);
    const eventsPerSecond = batchesPerSecond * events;
    const cpuUsPerEvent = ((cpuMs - before.cpuMs) * 1_000) / ((eventsPerSecond * measuredMs) / 1_000);
    return { kind, events, encoding, eventsPerSecond, p50Ms, p99Ms, loopP99Ms, residentBytes, cpuUsPerEvent };
  } finally {
    await bench.stop();
  }
}

function start(kind: Kind): Promise<Bench> {
  const { profile } = options;
  if (isOfCollector(kind)) return startCollectorBench(kind, collector ?? "");
  const server = kind === "own" ? "embedded" : kind;
  return startBench(server, profile === undefined ? {} : { profileInto: `${profile}/${kind}` });
}

function isOfCollector(kind: Kind): kind is CollectorKind {
  return collectorKinds.some((one) => one === kind);
}

function print(rounds: readonly Measured[]): void {
  const [first] = rounds;
  if (first === undefined) return;
  const of = (kind: Kind, value: (one: Measured) => number): number =>
    quantile(rounds.filter((one) => one.kind === kind).map(value), 0.5);
  const rows = measuredKinds.map((kind) => [
    names[kind],
    of(kind, (one) => one.eventsPerSecond).toFixed(0),
    `${((of(kind, (one) => one.eventsPerSecond) / of("bare", (one) => one.eventsPerSecond)) * 100).toFixed(0)}%`,
    of(kind, (one) => one.p50Ms).toFixed(1),
    of(kind, (one) => one.p99Ms).toFixed(1),
    isOfCollector(kind) ? "" : of(kind, (one) => one.loopP99Ms).toFixed(1),
    of(kind, (one) => one.cpuUsPerEvent).toFixed(1),
    (of(kind, (one) => one.residentBytes) / mebibyte).toFixed(0),
  ]);
  const failing = format === "otlp" ? `, ${failingPercent}% failing` : "";
  const heading = `${format}, ${first.events} events${failing}, ${first.encoding}, ${connectionsFor(first.events)} connections`;
  const headings = [heading, "events/s", "of bare", "p50 ms", "p99 ms", "loop p99 ms", "cpu µs/event", "MiB"];
  console.log(`${table(headings, rows)}\n`);
}

/**
 * Checks that memory stays flat: batches of 50 at a share of the gateway's capacity, with the queue drained as by a
 * writer.
 */
async function soak(minutes: number): Promise<void> {
  const bench = await startBench("embedded", { drains: true });
  const load = {
    format: "whence",
    events: 50,
    encoding: "plain",
    failingPercent,
    connections: 16,
    warmUpMs: 0,
  } as const;
  try {
    await bench.load({ ...load, measuredMs: warmUpMs });
    const { batchesPerSecond: fullRate } = await bench.load({ ...load, measuredMs: 5_000 });
    const batchesPerSecond = fullRate * soakShare;
    console.log(`${(fullRate * 50).toFixed(0)} events/s at most; ${(batchesPerSecond * 50).toFixed(0)} from here on`);
    await delay(1_000);
    await bench.figures();
    const steps: { minute: number; resident: number; loopP99Ms: number; p99Ms: number; eventsPerSecond: number }[] = [];
    const end = performance.now() + minutes * 60_000;
    for (const begin = performance.now(); performance.now() < end; ) {
      const answered = await bench.load({ ...load, connections: 64, batchesPerSecond, measuredMs: soakStepMs });
      const { residentBytes, loopP99Ms } = await bench.figures();
      const minute = (performance.now() - begin) / 60_000;
      const eventsPerSecond = answered.batchesPerSecond * 50;
      steps.push({ minute, resident: residentBytes / mebibyte, loopP99Ms, p99Ms: answered.p99Ms, eventsPerSecond });
    }
    const rows = steps.map((step) => [
      step.minute.toFixed(1),
      step.eventsPerSecond.toFixed(0),
      step.p99Ms.toFixed(1),
      step.loopP99Ms.toFixed(1),
      step.resident.toFixed(0),
    ]);
    console.log(table(["minute", "events/s", "p99 ms", "loop p99 ms", "MiB"], rows));
    const half = Math.floor(steps.length / 2);
    const median = (part: typeof steps): number =>
      quantile(
        part.map(({ resident }) => resident),
        0.5,
      );
    const growth = median(steps.slice(half)) / median(steps.slice(0, half)) - 1;
    console.log(`memory, second half against first: ${(growth * 100).toFixed(1)}%`);
  } finally {
    await bench.stop();
  }
}
