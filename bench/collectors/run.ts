import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readEventFacts } from "@whence/engine";
import { type EventStore, openStorage, type ScopedEvents, type StoredEvent } from "@whence/storage";
import { Session } from "chdb";
import { telemetryCollectors } from "../../services/analyzer/src/collectors/index.ts";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import { fill, fingerprint, scopeId } from "./fill.ts";
import { type Asked, measuredEvents } from "./measured-events.ts";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "10000000" },
    rounds: { type: "string", default: "7" },
    /** A folder that is filled if it is empty, and kept. */
    keep: { type: "string" },
  },
});
/** The limit per query. */
const limitMs = 200;
const lookIntervalMs = 200;

const directory = options.keep ?? mkdtempSync(join(tmpdir(), "whence-bench-collectors-"));
try {
  const storage = await openStorage({ dataDirectory: directory });
  // The same directory, so the same engine.
  const engine = new Session(join(directory, "events"));
  const begin = performance.now();
  const kept = await newest(storage.events);
  const subject = kept ?? (await fill(storage.events, engine, Number(options.rows), Date.now()));
  const count = Number(engine.query("SELECT count() FROM whence.events", "TSVRaw"));
  console.log(`${count} events stored${kept ? "" : ` in ${((performance.now() - begin) / 1_000).toFixed(0)} s`}\n`);

  await untilMerged(engine);
  const asked = new Map<string, Asked[]>();
  for (let round = 0; round <= Number(options.rounds); round++) {
    const { event, service, env, release, instance, host } = subject;
    const facts = readEventFacts(event, { service, env, release, instance, host: host.name });
    let collector = "";
    const events = measuredEvents(engine, scopeId, (one) => {
      // Only the first round reads from the disk.
      if (round === 0) return;
      const key = `${collector}\u0000${one.question}`;
      asked.set(key, [...(asked.get(key) ?? []), one]);
    });
    const findings = {
      incident: { id: "inc_1", service, env, fingerprint },
      observedAt: event.timestamp,
      event: facts,
    };
    for (const one of telemetryCollectors(events as ScopedEvents)) {
      collector = one.name;
      const found = await one.collect(findings, new AbortController().signal, (why) =>
        console.error(`${one.name}: ${why}`),
      );
      if (round === 0) for (const { fact } of found) console.log(`${one.name}: ${JSON.stringify(fact)}`);
    }
  }
  const rows = [...asked].map(([key, all]) => {
    const [collector = "", question = ""] = key.split("\u0000");
    const of = (value: (one: Asked) => number, q: number): number => quantile(all.map(value), q);
    return {
      collector,
      question,
      median: of(({ ms }) => ms, 0.5),
      most: of(({ ms }) => ms, 1),
      cpu: of(({ cpuMs }) => cpuMs, 0.5),
      rowsRead: of(({ rowsRead }) => rowsRead, 1),
      mebibytes: of(({ bytesRead }) => bytesRead, 1) / 1_048_576,
    };
  });
  console.log(
    `\n${table(
      [
        "collector, and what it is the first to ask",
        "question",
        "median ms",
        "longest ms",
        "cpu ms",
        "rows read",
        "MiB read",
      ],
      rows.map((row) => [
        row.collector,
        row.question,
        row.median.toFixed(0),
        row.most.toFixed(0),
        row.cpu.toFixed(0),
        String(row.rowsRead),
        row.mebibytes.toFixed(1),
      ]),
    )}`,
  );
  const slow = rows.filter(({ median }) => median >= limitMs);
  console.log(
    `\n${slow.length === 0 ? "every" : `all but ${slow.length}`} question stays under ${limitMs} ms (median)`,
  );
  if (slow.length > 0) process.exitCode = 1;
  engine.close();
  await storage.close();
} finally {
  if (options.keep === undefined) rmSync(directory, { recursive: true, force: true });
}

/** Waits for merges: a day's events stored in two minutes leave some that would normally be long finished. */
async function untilMerged(engine: Session): Promise<void> {
  while (engine.query("SELECT count() FROM system.merges", "TSVRaw").trim() !== "0") await delay(lookIntervalMs);
}

/** Returns the last event of the investigated failure; null in an empty store. */
async function newest(events: EventStore): Promise<StoredEvent | null> {
  const [from, to] = ["2020-01-01T00:00:00.000Z", "2100-01-01T00:00:00.000Z"];
  const [found] = await events.forScope(scopeId).find({ from, to, fingerprint, limit: 1 });
  return found ?? null;
}
