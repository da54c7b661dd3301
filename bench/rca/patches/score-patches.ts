import type { Patch } from "@whence/protocol";
import { markdownTable } from "../../table.ts";
import { reportOn } from "../answer.ts";
import type { CorpusCase } from "../corpora/corpus-case.ts";
import { corpusCases, withTrees } from "../corpus-cases.ts";
import { foldOf, modelWithout } from "../folds.ts";
import { inForm } from "../forms.ts";
import { type App, readApps } from "../mutate/app.ts";
import { type Outcome, PatchedRuns } from "./run-patched.ts";

/** A case, and what became of its patch. */
interface PatchedCase {
  readonly read: CorpusCase;
  readonly patch: Patch | null;
  readonly outcome: Outcome | null;
}

/**
 * Scores the patches of the mutants in some folds of groups, each case by the model that was trained without its group:
 * the patched program is run, and passes when it ends as the program without the mistake does.
 */
export async function patchTables(folds: readonly number[], every: number, isShown: boolean): Promise<string> {
  const inFolds = corpusCases(["mutants", "remote"]).filter(({ group }) => folds.includes(foldOf(group)));
  const wanted = inFolds.filter((_, index) => index % every === 0);
  const apps = readApps();
  const runs = new PatchedRuns();
  const scored: PatchedCase[] = [];
  for (const [index, recorded] of (await withTrees(wanted)).entries()) {
    const read = wanted[index];
    // The code of another version isn't what failed: whether its patch is right can't be run.
    if (!read || recorded.isOtherVersion) continue;
    const { patch = null } = await reportOn(await inForm(recorded, "tree"), modelWithout(read.group));
    const app = patch && appOf(read, apps);
    const outcome = patch && app ? await runs.run(app, read, patch.diff, recorded.tree.installedIn) : null;
    scored.push({ read, patch, outcome });
    if (isShown && patch) console.log(`${read.id}: ${patch.repair}, ${outcome}\n${patch.diff}`);
  }
  return [tableBy("mistake", scored, ({ read }) => read.operator ?? ""), tableBy("repair", scored, byRepair)].join(
    "\n\n",
  );
}

function byRepair({ patch }: PatchedCase): string {
  return patch?.repair ?? "";
}

function appOf(read: CorpusCase, apps: readonly App[]): App | null {
  const folders = read.sources.map(({ from }) => from);
  const isOf = ({ kind, name }: App): boolean =>
    folders.includes(`${kind === "service" ? "services" : "drivers"}/${name}`);
  return apps.find(isOf) ?? null;
}

function tableBy(heading: string, scored: readonly PatchedCase[], keyOf: (one: PatchedCase) => string): string {
  const groups = [...Map.groupBy(scored, keyOf)].filter(([, own]) => own.some(({ outcome }) => outcome !== null));
  const rows = groups
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, own]) => [key, ...figuresOf(own)]);
  return markdownTable(
    [heading, "cases", "patches", "program passes", "same output", "wrong"],
    [...rows, ["all", ...figuresOf(scored)]],
  );
}

function figuresOf(scored: readonly PatchedCase[]): string[] {
  const offered = scored.filter(({ outcome }) => outcome !== null);
  const count = (...outcomes: Outcome[]): number =>
    offered.filter(({ outcome }) => outcome !== null && outcomes.includes(outcome)).length;
  return [scored.length, offered.length, count("same", "healthy"), count("same"), count("failed")].map(String);
}
