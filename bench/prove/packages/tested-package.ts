import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isReserved } from "../../rca/corpora/reserved.ts";

const versions = z.record(z.string(), z.string());
const shared = {
  name: z.string(),
  version: z.string(),
  /** What the tests need, in fixed versions. */
  install: versions,
  /** The files that a mistake may be in, as patterns. */
  code: z.array(z.string()).min(1),
  /** The command that runs the tests. */
  test: z.array(z.string()).min(1),
};

const commit = z.string().regex(/^[0-9a-f]{40}$/);

const testedPackage = z.union([
  z.strictObject({
    ...shared,
    language: z.enum(["javascript", "typescript"]),
    /** `owner/name` on GitHub: what npm has of a package seldom has its tests. */
    repository: z.string(),
    commit,
    /** The commit of the nearest earlier release that has other code. */
    earlier: commit.optional(),
  }),
  z.strictObject({
    ...shared,
    language: z.literal("python"),
    /** The nearest earlier release that has other code. */
    earlier: z.string().optional(),
    /** The folder of the source archive in which the package's modules are. */
    path: z.string(),
  }),
]);

/** A published package with a suite of tests that takes seconds and needs no network. */
export type TestedPackage = z.infer<typeof testedPackage>;

const mistake = z.strictObject({
  id: z.string(),
  package: z.string(),
  operator: z.string(),
  /** The lines that the mistake replaces; an empty text removes them. */
  edits: z.array(z.strictObject({ file: z.string(), line_start: z.int(), line_end: z.int(), text: z.string() })).min(1),
  truth: z.strictObject({ file: z.string(), function: z.string(), line_start: z.int(), line_end: z.int() }),
});

/** One mistake in a package, with which a test of it fails. */
export type PackageMistake = z.infer<typeof mistake>;

/** Where the mistakes are recorded, one in a line. */
export const mistakesFile: string = join(import.meta.dirname, "mistakes.jsonl");

/** Reads the packages whose tests are run; none may be one on which the engine is scored. */
export function readPackages(): TestedPackage[] {
  const text = readFileSync(join(import.meta.dirname, "packages.json"), "utf8");
  const packages = z.array(testedPackage).parse(JSON.parse(text));
  const reserved = packages.find((one) => isReserved(one.name, "repository" in one ? one.repository : ""));
  if (reserved) throw new Error(`${reserved.name} is kept apart for scoring the engine: take another package`);
  return packages;
}

/** Reads the recorded mistakes. */
export function readMistakes(): PackageMistake[] {
  const lines = readFileSync(mistakesFile, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => mistake.parse(JSON.parse(line)));
}

/** Returns the group of a package: no model may be trained with a case of it. */
export function groupOf(one: TestedPackage): string {
  return "repository" in one ? one.repository.toLowerCase() : one.name;
}
