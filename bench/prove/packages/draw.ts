import { existsSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type LaidOut, layOut } from "./lay-out.ts";
import { mistakesIn } from "./mistakes-in.ts";
import { runTests } from "./run-tests.ts";
import { mistakesFile, type PackageMistake, readMistakes, readPackages, type TestedPackage } from "./tested-package.ts";
import { withMistake } from "./with-mistake.ts";

/** Draws mistakes in each package again, or in those that are named, and records them. */
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "61" },
    /** Mistakes to keep of each package. */
    keep: { type: "string", default: "4" },
    /** Runs of the tests for each package. */
    tries: { type: "string", default: "30" },
    /** Runs the tests without a mistake only. */
    check: { type: "boolean", default: false },
  },
});
const triesPerFunctionMax = 3;
/** No test ran: what the mistake breaks is loaded before them. */
const failedToLoad =
  /Test suite failed to run|Failed Suites|error(?:s)? during collection|^test at \S+:1:1$|'test failed'|_FailedTest|^SyntaxError: |Exception during run|error TS\d|Uncaught exception in|ERROR in /m;
/** What another run, or another machine, may print otherwise. */
const isUncertain = /timed? ?out|timeout of|EADDRINUSE|ENOENT/i;

const kept = existsSync(mistakesFile) ? readMistakes() : [];
for (const one of readPackages().filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const laidOut = await layOut(one);
  const healthy = await runTests(laidOut);
  if (healthy.code !== 0) {
    console.error(`${one.name}: fails without a mistake\n${healthy.output.slice(-2000)}`);
    continue;
  }
  console.error(`${one.name}: passes`);
  if (values.check) continue;
  const drawn = await draw(one, laidOut);
  const others = kept.filter((known) => known.package !== one.name);
  kept.splice(0, kept.length, ...others, ...drawn);
  writeFileSync(mistakesFile, kept.map((each) => `${JSON.stringify(each)}\n`).join(""));
}

async function draw(one: TestedPackage, laidOut: LaidOut): Promise<PackageMistake[]> {
  const found: PackageMistake[] = [];
  let tries = 0;
  for (const inFunction of mistakesIn(one, laidOut, values.seed)) {
    for (const mistake of inFunction.slice(0, triesPerFunctionMax)) {
      if (found.length >= Number(values.keep) || tries >= Number(values.tries)) break;
      tries++;
      if (!(await withMistake(laidOut, mistake, () => failsATest(laidOut)))) continue;
      found.push(mistake);
      break;
    }
  }
  console.error(`${one.name}: ${found.length} of ${tries}`);
  return found;
}

/** Whether a test fails, twice. */
async function failsATest(laidOut: LaidOut): Promise<boolean> {
  for (let run = 0; run < 2; run++) {
    const { code, output } = await runTests(laidOut);
    if (code === 0 || code === null || failedToLoad.test(output) || isUncertain.test(output)) return false;
  }
  return true;
}
