import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { applyLineEdits } from "../../rca/corpora/case-files.ts";
import { mistakePlace } from "../../rca/mutate/mistake-place.ts";
import { hashOf, type Mutation, shuffled, toLineEdits } from "../../rca/mutate/mutation.ts";
import type { FunctionIndex } from "../../rca/mutate/operators/functions.ts";
import { indexFunctions, javascriptMutations } from "../../rca/mutate/operators/javascript/mutations.ts";
import { indexPythonFunctions, pythonMutations } from "../../rca/mutate/operators/python/mutations.ts";
import type { LaidOut } from "./lay-out.ts";
import type { PackageMistake, TestedPackage } from "./tested-package.ts";

/** A mistake is small: one that spans more lines is another program. */
const mistakeMaxLines = 8;
const hexRadix = 16;

/** Finds the named functions of a file. */
export function functionsOf(file: string, text: string): FunctionIndex {
  return file.endsWith(".py") ? indexPythonFunctions(text) : indexFunctions(file, text);
}

/**
 * Returns the mistakes that may be made in each function of a package, the functions in an order that depends only on
 * the seed, and not on their length.
 */
export function mistakesIn(one: TestedPackage, { folder }: LaidOut, seed: string): PackageMistake[][] {
  const byFunction = new Map<string, PackageMistake[]>();
  for (const file of globSync([...one.code], { cwd: folder }).sort()) {
    if (/\.(test|spec|d)\.[cm]?[jt]s$/.test(file)) continue;
    const text = readFileSync(join(folder, file), "utf8");
    const functions = functionsOf(file, text);
    const made = file.endsWith(".py")
      ? pythonMutations(file, text, () => true)
      : javascriptMutations(file, text, () => true);
    for (const mutation of made.filter((each) => isSmall(text, each))) {
      const around = functions.atOffset(mutation.edits[0].start);
      if (!around) continue;
      const key = `${file} ${around.name} ${around.lineStart}`;
      const [edit, ...others] = toLineEdits(text, mutation.edits);
      if (!edit) continue;
      const edits = [edit, ...others].map((each) => ({ file, ...each }));
      const place = mistakePlace([edit, ...others], applyLineEdits(text, edits), around);
      const { operator } = mutation;
      const hash = hashOf(`${file} ${JSON.stringify(edits)}`).toString(hexRadix);
      const found = {
        ...{ id: `${one.name}-${operator}-${hash}`, package: one.name, operator, edits },
        truth: { file, function: around.name, ...place },
      };
      byFunction.set(key, [...(byFunction.get(key) ?? []), found]);
    }
  }
  return shuffled([...byFunction], seed, ([key]) => key).map(([, found]) => shuffled(found, seed, ({ id }) => id));
}

function isSmall(text: string, { edits }: Mutation): boolean {
  return edits.every(({ start, end }) => text.slice(start, end).split("\n").length <= mistakeMaxLines);
}
