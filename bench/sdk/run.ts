import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { adaptersIn } from "./adapters.ts";
import type { Bench } from "./bench.ts";
import { captures } from "./questions/captures.ts";
import { endings } from "./questions/endings.ts";
import { faults } from "./questions/faults.ts";
import { requests } from "./questions/requests.ts";
import { start } from "./questions/start.ts";
import { watch } from "./questions/watch.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "start,requests,captures,faults,endings,watch" },
    clients: { type: "string" },
    rounds: { type: "string", default: "3" },
    faults: { type: "string", default: "" },
    node: { type: "string", default: process.execPath },
  },
});
const { TELEMETRY_BENCH: peerBench, BENCH_CACHE: peerCache = join(tmpdir(), "telemetry-bench") } = process.env;

const questions: Record<string, (bench: Bench) => Promise<string>> = {
  start,
  requests,
  captures,
  faults: (bench) => faults(bench, options.faults.split(",").filter(Boolean)),
  endings,
  watch,
};

const directory = mkdtempSync(join(tmpdir(), "whence-bench-sdk-"));
try {
  await run();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const peers = peerBench
    ? { adapters: join(peerBench, "sdk/adapters"), installed: join(peerCache, "sdk") }
    : undefined;
  const wanted = options.clients?.split(",");
  const bench: Bench = {
    node: options.node,
    rounds: Number(options.rounds),
    adapters: adaptersIn(directory, peers).filter(({ id }) => id === "none" || !wanted || wanted.includes(id)),
    frameworks: join(import.meta.dirname, "../../sdks/node"),
    directory,
  };
  console.log(`Node ${execFileSync(options.node, ["--version"], { encoding: "utf8" }).trim()}`);
  for (const name of options.only.split(",")) {
    const ask = questions[name];
    if (!ask) throw new Error(`no question ${name}; there are: ${Object.keys(questions).join(", ")}`);
    console.log(`\n${await ask(bench)}`);
  }
}
