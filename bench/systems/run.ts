import { parseArgs } from "node:util";
import { readAllRuns, recordRuns } from "./runs.ts";
import { scoreRuns } from "./score.ts";
import { familyTable, methodTable, reliabilityTable } from "./tables.ts";
import { train } from "./train/run.ts";

const { values: options } = parseArgs({
  options: {
    /** Records that many runs, those that there are included. */
    record: { type: "string" },
    /** Learns the service model again before it is scored. */
    train: { type: "boolean", default: false },
  },
});

if (options.record !== undefined) await recordRuns(Number(options.record));
const runs = readAllRuns();
if (options.train) await train(runs);
const scored = await scoreRuns(runs);
console.log(`${methodTable(scored)}\n\n${familyTable(scored)}\n\n${reliabilityTable(scored)}`);
