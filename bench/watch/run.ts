import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { faults } from "../faults/catalogue/faults.ts";
import type { Fault } from "../faults/fault.ts";
import { TelemetryTap } from "../faults/telemetry-tap.ts";
import { Turns } from "../faults/turns.ts";
import { Whence } from "../faults/whence.ts";
import { table } from "../table.ts";
import { type WatchedFault, watchFault } from "./watch-fault.ts";

/** Faults in which a value is missing that a function of the shop, a third party, or a customer should have given. */
const watchedByDefault = "rare-input,cache-miss,renamed-field,poison-parcel,new-major-version";

const { values: options } = parseArgs({
  options: { only: { type: "string", default: watchedByDefault }, seed: { type: "string", default: "20260" } },
});

await using opened = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), "whence-watch-"));
opened.defer(() => rmSync(folder, { recursive: true, force: true }));
const whence = opened.use(await Whence.start(join(folder, "whence")));
const tap = opened.use(await TelemetryTap.open(whence.url));
const stopped = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => stopped.abort());
const bench = {
  ...{ whence, tap, folder: join(folder, "shops"), seed: Number(options.seed) },
  ...{ starts: new Turns(), signal: stopped.signal },
};

const rows: string[][] = [];
for (const fault of options.only.split(",").map(faultNamed)) {
  const watched = await watchFault(fault, bench);
  console.error(`${fault.name}: ${watched.verdict}`);
  rows.push(rowOf(fault, watched));
}
const headings = ["fault", "origin", "before", "verdict", "failures until seen", "s until told", "processes"];
console.log(table(headings, rows));

function faultNamed(name: string): Fault {
  const found = faults.find((fault) => fault.name === name);
  if (!found) throw new Error(`no fault ${name}; there are: ${faults.map((fault) => fault.name).join(", ")}`);
  return found;
}

function rowOf(
  { name, files }: Fault,
  { verdict, before, failuresUntilSeen, secondsUntilTold, processes }: WatchedFault,
) {
  return [
    ...[name, files.join(" or "), before, verdict],
    ...[String(failuresUntilSeen ?? "–"), secondsUntilTold?.toFixed(0) ?? "–", processes],
  ];
}
