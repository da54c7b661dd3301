import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStorage } from "@whence/storage";
import { randomNumbers } from "../faults/random.ts";
import { Choice } from "./choice.ts";
import { serveClientCopies } from "./machines/client-copies.ts";
import { operators } from "./operators/all.ts";
import { recordRun } from "./record-run.ts";
import { topologyOf } from "./topology.ts";

/** Runs are of this many systems. */
const topologiesCount = 60;
const keptForYearsDays = 3_650;

/** Records the runs of some seeds, and appends them to a file: in a process of its own, as each run leaves its code behind. */
const [from = 0, to = 0, path = "", client = ""] = process.argv
  .slice(2)
  .map((text, index) => (index < 2 ? Number(text) : text)) as [number, number, string, string];
serveClientCopies(client);
const directory = mkdtempSync(join(tmpdir(), "whence-systems-store-"));
const storage = await openStorage({ dataDirectory: directory, retentionDays: keptForYearsDays });
for (let seed = from; seed < to; seed++) {
  const name = nameOf(seed);
  const recorded = name && (await recordRun(name, storage.events));
  appendFileSync(path, `${JSON.stringify(recorded ?? { seed, cases: [] })}\n`);
}
await storage.close();
rmSync(directory, { recursive: true, force: true });
process.exit(0);

/** Operators take turns; each breaks a system that has a place for it. */
function nameOf(seed: number) {
  const operator = operators[seed % operators.length];
  const choice = new Choice(randomNumbers(seed * 31 + 5));
  for (let attempt = 0; operator && attempt < topologiesCount; attempt++) {
    const topology = choice.between(1, topologiesCount);
    if (operator.plan(topologyOf(topology), new Choice(randomNumbers(seed)))) return { topology, operator, seed };
  }
  return null;
}
