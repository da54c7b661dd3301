import { execFileSync } from "node:child_process";
import { startCluster } from "../../test/cluster/cluster.ts";
import { faults } from "../../test/cluster/faults.ts";
import { type FaultOutcome, runFault } from "../../test/cluster/run-fault.ts";
import { findProgram } from "../../test/servers/programs.ts";
import { table } from "../table.ts";

const wanted = process.argv[2];
const chosen = faults.filter(({ name }) => wanted === undefined || name.includes(wanted));
if (chosen.length === 0) {
  console.error(`no fault is called ${wanted}; there are: ${faults.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const natsVersion = (): string =>
  execFileSync(process.env["NATS_SERVER"] ?? findProgram("nats-server", "nats-server"), ["--version"], {
    encoding: "utf8",
  })
    .replace(/^nats-server: /, "")
    .trim();
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const cluster = await startCluster();
const outcomes: FaultOutcome[] = [];
try {
  // Load without a fault: what the figures below are to be compared with.
  outcomes.push(await runFault(cluster, { name: "none (baseline)", copies: 1, inject: async () => undefined }));
  for (const fault of chosen) outcomes.push(await runFault(cluster, fault));
} finally {
  await cluster.stop();
}
console.log(`nats-server ${natsVersion()}; before 2.10 it acknowledges before it syncs\n`);
const headings = ["fault", "lasted", "acknowledged", "stored", "lost", "duplicated", "failures", "incidents"];
console.log(
  table(
    [...headings, "longest wait for a 202", "settled after"],
    outcomes.map((one) => [
      ...[one.name, seconds(one.faultMs), String(one.acknowledged), String(one.stored)],
      ...[String(one.lost), String(one.duplicated), String(one.failures), String(one.incidents)],
      ...[seconds(one.longestWaitMs), seconds(one.settledMs)],
    ]),
  ),
);
if (outcomes.some(({ lost, duplicated, failures, incidents }) => lost + duplicated > 0 || failures !== incidents)) {
  process.exitCode = 1;
}
