import { startCluster } from "../../test/cluster/cluster.ts";
import { faults } from "../../test/cluster/faults.ts";
import { type LeftBehind, leftBehind } from "../../test/cluster/left-behind.ts";
import { type FaultOutcome, runFault } from "../../test/cluster/run-fault.ts";
import { table } from "../table.ts";

const wanted = process.argv[2];
const chosen = faults.filter(({ name }) => wanted === undefined || name.includes(wanted));
if (chosen.length === 0) {
  console.error(`no fault is called ${wanted}; there are: ${faults.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const cluster = await startCluster();
const outcomes: (FaultOutcome & LeftBehind)[] = [];
try {
  // Load without a fault, to compare the figures below with.
  for (const fault of [{ name: "none (baseline)", copies: 1, inject: async () => undefined }, ...chosen]) {
    outcomes.push({ ...(await runFault(cluster, fault)), ...(await leftBehind(cluster)) });
  }
} finally {
  await cluster.stop();
}
const headings = ["fault", "lasted", "acknowledged", "stored", "lost", "duplicated", "failures", "incidents"];
console.log(
  table(
    [...headings, "longest wait for a 202", "settled after", "left in the queue"],
    outcomes.map((one) => [
      ...[one.name, seconds(one.faultMs), String(one.acknowledged), String(one.stored)],
      ...[String(one.lost), String(one.duplicated), String(one.failures), String(one.incidents)],
      ...[seconds(one.longestWaitMs), seconds(one.settledMs), String(one.pending + one.held + one.dead)],
    ]),
  ),
);
if (outcomes.some(({ lost, duplicated, failures, incidents }) => lost + duplicated > 0 || failures !== incidents)) {
  process.exitCode = 1;
}
