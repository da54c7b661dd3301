import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type CorpusCase, readCorpus } from "../corpora/corpus-case.ts";
import { isReserved } from "../corpora/reserved.ts";
import { javascript } from "./javascript/javascript.ts";
import { minePackage } from "./mine-package.ts";
import { python } from "./python/python.ts";
import { problemOf } from "./verify.ts";

const listFile = join(import.meta.dirname, "packages.json");
const minutesPerPackageDefault = 2.5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: "string", default: "javascript" },
    verify: { type: "boolean", default: false },
    parallel: { type: "string", default: "2" },
    minutes: { type: "string", default: String(minutesPerPackageDefault) },
  },
});

const ecosystem = { javascript, python }[z.enum(["javascript", "python"]).parse(values.language)];
const corpusFolder = join(import.meta.dirname, "../corpora/mined", ecosystem.language);
const listed = z
  .strictObject({ javascript: z.array(z.string()), python: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(listFile, "utf8")));
const wanted = positionals.length > 0 ? positionals : listed[ecosystem.language];
const refused = wanted.filter((name) => isReserved(name));
if (refused.length > 0) {
  console.error(
    `Reserved for measuring, so nothing is mined from them: ${refused.join(", ")}. Take them off the list.`,
  );
  process.exit(2);
}

await ecosystem.start();
mkdirSync(corpusFolder, { recursive: true });
const waiting = wanted.values();
await Promise.all(Array.from({ length: Number(values.parallel) }, workUntilDone));

async function workUntilDone(): Promise<void> {
  for (const name of waiting) await (values.verify ? verify(name) : mine(name));
}

/** Reruns the stored cases of one package and prints those that no longer hold. */
async function verify(name: string): Promise<void> {
  const own = (from = ""): boolean => from.startsWith(`${name}@`);
  for (const one of readCorpus(corpusFolder).filter(({ sources }) => own(sources[0]?.from))) {
    const problem = await problemOf(ecosystem, one).catch(String);
    if (problem !== undefined) console.log(`${one.id}: ${problem}`);
  }
}

/** Mines one package; one that can't be mined is reported and skipped. */
async function mine(name: string): Promise<void> {
  try {
    const deadline = Date.now() + Number(values.minutes) * 60_000;
    const cases = await minePackage(ecosystem, name, deadline, console.log, (found) => store(name, found));
    const offStack = cases.filter(({ truth }) => !truth.on_stack).length;
    console.log(`${name}: ${cases.length} cases, ${offStack} of them off the stack`);
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Writes the corpus file of a package, unless an earlier run found more. */
function store(name: string, cases: readonly CorpusCase[]): void {
  const file = join(corpusFolder, `${name.replaceAll("/", "+")}.jsonl`);
  const lines = cases.map((one) => `${JSON.stringify(one)}\n`);
  const before = existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
  if (lines.length >= before) writeFileSync(file, lines.join(""));
}
