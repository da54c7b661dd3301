import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { installTools } from "./environment.ts";
import { minePackage } from "./mine-package.ts";
import { isReserved } from "./reserved.ts";
import { installHarness } from "./test-run.ts";

const listFile = join(import.meta.dirname, "packages.json");
const corpusFolder = join(import.meta.dirname, "../corpora/mined");
const minutesPerPackageDefault = 2.5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    parallel: { type: "string", default: "2" },
    minutes: { type: "string", default: String(minutesPerPackageDefault) },
  },
});

const { javascript } = z
  .strictObject({ javascript: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(listFile, "utf8")));
const wanted = positionals.length > 0 ? positionals : javascript;
const refused = wanted.filter((name) => isReserved(name));
if (refused.length > 0) {
  console.error(
    `Reserved for measuring, so nothing is mined from them: ${refused.join(", ")}. Take them off the list.`,
  );
  process.exit(2);
}

installHarness();
await installTools();
mkdirSync(corpusFolder, { recursive: true });
const waiting = wanted.values();
await Promise.all(Array.from({ length: Number(values.parallel) }, mineUntilDone));

async function mineUntilDone(): Promise<void> {
  for (const name of waiting) await mine(name);
}

/** Writes the corpus file of one package; a package that cannot be mined is reported and left out. */
async function mine(name: string): Promise<void> {
  try {
    const cases = await minePackage(name, Date.now() + Number(values.minutes) * 60_000, console.log);
    const offStack = cases.filter(({ truth }) => !truth.on_stack).length;
    console.log(`${name}: ${cases.length} cases, ${offStack} of them off the stack`);
    if (cases.length === 0) return;
    const file = join(corpusFolder, `${name.replaceAll("/", "+")}.jsonl`);
    if (existsSync(file) && readFileSync(file, "utf8").split("\n").length > cases.length + 1) return;
    writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
