import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ChildServer, startBareServer, startEmbeddedServer } from "../child-server.ts";
import { table } from "../table.ts";

/** Long enough for what a start allocates to be given back. */
const restMs = 10_000;
const starts = 5;

interface Measured {
  readonly startMs: number;
  readonly residentBytes: number;
}

const directory = mkdtempSync(join(tmpdir(), "whence-footprint-"));
try {
  const bare = await measure(startBareServer);
  const first = await measure(() => startEmbeddedServer(directory));
  const later: Measured[] = [];
  while (later.length < starts) later.push(await measure(() => startEmbeddedServer(directory)));
  const rows: [string, Measured][] = [
    ["bare node:http (baseline)", bare],
    ["whence, first start", first],
  ];
  rows.push(...later.map((measured, index): [string, Measured] => [`whence, start ${index + 2}`, measured]));
  console.log(
    table(
      ["", "start ms", "ratio", `resident MB after ${restMs / 1_000} s`, "ratio"],
      rows.map(([name, { startMs, residentBytes }]) => [
        name,
        startMs.toFixed(0),
        (startMs / bare.startMs).toFixed(1),
        (residentBytes / 1e6).toFixed(0),
        (residentBytes / bare.residentBytes).toFixed(1),
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
    return { startMs: server.startMs, residentBytes: server.residentBytes() };
  } finally {
    await server.stop();
  }
}
