import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type ChildServer,
  type ResidentMemory,
  startBareServer,
  startEmbeddedServer,
  startEventStore,
} from "../child-server.ts";
import { table } from "../table.ts";

/** Long enough for memory allocated at startup to be returned. */
const restMs = 10_000;
const starts = 5;

interface Measured extends ResidentMemory {
  readonly startMs: number;
}

const directory = mkdtempSync(join(tmpdir(), "whence-footprint-"));
try {
  const bare = await measure(startBareServer);
  await measure(() => startEventStore(directory));
  const eventStore = await measure(() => startEventStore(directory));
  const first = await measure(() => startEmbeddedServer(directory));
  const later: Measured[] = [];
  while (later.length < starts) later.push(await measure(() => startEmbeddedServer(directory)));
  const rows: [string, Measured][] = [
    ["bare node:http (baseline)", bare],
    ["event store alone, start 2", eventStore],
    ["whence, first start", first],
  ];
  rows.push(...later.map((measured, index): [string, Measured] => [`whence, start ${index + 2}`, measured]));
  console.log(
    table(
      ["", "start ms", "ratio", `resident MB after ${restMs / 1_000} s`, "ratio", "anonymous MB"],
      rows.map(([name, { startMs, totalBytes, anonymousBytes }]) => [
        name,
        startMs.toFixed(0),
        (startMs / bare.startMs).toFixed(1),
        (totalBytes / 1e6).toFixed(0),
        (totalBytes / bare.totalBytes).toFixed(1),
        (anonymousBytes / 1e6).toFixed(0),
      ]),
    ),
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function measure(start: () => Promise<ChildServer>): Promise<Measured> {
  const server = await start();
  try {
    await delay(restMs);
    return { startMs: server.startMs, ...server.memory() };
  } finally {
    await server.stop();
  }
}
