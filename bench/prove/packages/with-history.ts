import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { type Hunk, hunksBetween, withHunks } from "@whence/protocol";
import { applyLineEdits } from "../../rca/corpora/case-files.ts";
import { shuffled } from "../../rca/mutate/mutation.ts";
import { checkOut, cloneOf, type LaidOut, unpackRelease } from "./lay-out.ts";
import type { PackageMistake, TestedPackage } from "./tested-package.ts";

/**
 * What a package's tree has of its past: nothing; an earlier state, and all that differs since, with the mistake, isn't
 * committed; or the commits since then, with the mistake in one of them.
 */
export const histories = ["none", "changes", "history"] as const;
export type History = (typeof histories)[number];

/** A state of a package, as it was committed. */
interface State {
  /** A commit of its repository, or a release. */
  readonly version: string;
  readonly subject: string;
}

/** Where the earlier state and the mistake are. */
export interface Committed {
  /** The commit of the earlier state. */
  readonly good: string;
  /** That with which the mistake begins; null where it isn't committed. */
  readonly begun: string | null;
  /** Whether the earlier state has the lines that the mistake replaced, so that these can be put back. */
  readonly wasThere: boolean;
}

/** Commits between an earlier state and the pinned one, with it. */
const commitsMax = 10;
/** Lines around a mistake that tell where it was in an earlier state. */
const contextLines = 3;
const author = ["-c", "user.name=Bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false"];

/**
 * Calls back while a package's tree, in which the mistake is already, is a repository with an earlier state. Null where
 * none is recorded.
 */
export async function withHistory<T>(
  one: TestedPackage,
  { folder }: LaidOut,
  mistake: PackageMistake,
  history: Exclude<History, "none">,
  work: (committed: Committed) => Promise<T>,
): Promise<T | null> {
  const states = statesOf(one);
  const [first] = states;
  if (!first) return null;
  const own = join(folder, ".git");
  const scratch = mkdtempSync(join(tmpdir(), "whence-states-"));
  try {
    git(folder, "init", "--quiet");
    writeFileSync(join(own, "info", "exclude"), "node_modules/\n__pycache__/\n.pytest_cache/\n");
    const trees = await unpacked(one, states, scratch);
    const committed = history === "changes" ? trees.slice(0, 1) : trees;
    const begin = history === "changes" ? Number.POSITIVE_INFINITY : beginOf(trees, mistake);
    const wasThere = hadLines(trees, mistake);
    const ids = committed.map(({ tree, subject }, index) => {
      if (index >= begin) makeMistake(tree, trees, mistake);
      git(folder, `--work-tree=${tree}`, "add", "--all", "--force", ":/");
      git(folder, "commit", "--quiet", "--allow-empty", `--message=${subject}`);
      return git(folder, "rev-parse", "HEAD");
    });
    const [good = ""] = ids;
    return await work({ good, begun: ids[begin] ?? null, wasThere });
  } finally {
    rmSync(own, { recursive: true, force: true });
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Removes the repository that a run which was killed has left. */
export function withoutHistory({ folder }: LaidOut): void {
  rmSync(join(folder, ".git"), { recursive: true, force: true });
}

/** The earlier state of a package, the commits since then if a clone has them, and the pinned state; none where none is recorded. */
function statesOf(one: TestedPackage): State[] {
  if (one.earlier === undefined) return [];
  if (!("repository" in one)) return [one.earlier, one.version].map((version) => ({ version, subject: version }));
  const ends = [one.earlier, one.commit].map((version) => ({ version, subject: `Release ${version.slice(0, 7)}` }));
  const clone = cloneOf(one.repository);
  if (clone === undefined) return ends;
  const listed = git(clone, "log", "--first-parent", "--reverse", "--format=%H %s", `${one.earlier}..${one.commit}`);
  const since = listed.split("\n").map((line) => ({ version: line.slice(0, 40), subject: line.slice(41) }));
  // Of many, every so manieth stands for those before it.
  const step = Math.max(1, since.length / commitsMax);
  const kept = since.filter((_, index) => Math.floor((index + 1) / step) > Math.floor(index / step));
  return [...ends.slice(0, 1), ...kept];
}

type Tree = State & { readonly tree: string };

async function unpacked(one: TestedPackage, states: readonly State[], scratch: string): Promise<Tree[]> {
  const trees: Tree[] = [];
  for (const [index, state] of states.entries()) {
    const tree = join(scratch, String(index));
    mkdirSync(tree);
    if ("repository" in one) checkOut(one.repository, state.version, tree);
    else await unpackRelease(one.name, state.version, tree);
    trees.push({ ...state, tree });
  }
  return trees;
}

/** The state with which the mistake begins: one that has its lines, as all later ones have; not the last if others have. */
function beginOf(trees: readonly Tree[], mistake: PackageMistake): number {
  const last = trees.length - 1;
  const has = trees.map(({ tree }) => [...mistaken(tree, trees, mistake).values()].every((text) => text !== null));
  const possible = trees.map((_, index) => index).filter((index) => index > 0 && has.slice(index).every(Boolean));
  const middle = possible.filter((index) => index < last);
  return shuffled(middle, mistake.id, String)[0] ?? last;
}

function hadLines(trees: readonly Tree[], { edits }: PackageMistake): boolean {
  const [first, last] = [trees[0]?.tree ?? "", trees.at(-1)?.tree ?? ""];
  return edits.every(({ file, line_start: from, line_end: to }) => {
    const lines = readFileSync(join(last, file), "utf8")
      .split("\n")
      .slice(from - 1, to);
    const earlier = existsSync(join(first, file)) ? [file] : globSync(`**/*${extname(file)}`, { cwd: first });
    return earlier.some((one) => `\n${readFileSync(join(first, one), "utf8")}`.includes(`\n${lines.join("\n")}\n`));
  });
}

function makeMistake(tree: string, trees: readonly Tree[], mistake: PackageMistake): void {
  for (const [file, text] of mistaken(tree, trees, mistake)) writeFileSync(join(tree, file), text ?? "");
}

/** The files of a state with the mistake; null for one that lacks its lines. */
function mistaken(tree: string, trees: readonly Tree[], { edits }: PackageMistake): Map<string, string | null> {
  const pinned = trees.at(-1)?.tree ?? "";
  const texts = new Map<string, string | null>();
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const original = readFileSync(join(pinned, file), "utf8");
    const own = edits.filter((edit) => edit.file === file);
    const hunks = hunksBetween(original, applyLineEdits(original, own), contextLines);
    texts.set(file, hunks && inText(join(tree, file), hunks));
  }
  return texts;
}

function inText(path: string, hunks: readonly Hunk[]): string | null {
  try {
    return withHunks(readFileSync(path, "utf8"), hunks);
  } catch {
    return null;
  }
}

function git(folder: string, ...parameters: string[]): string {
  return execFileSync("git", ["-C", folder, ...author, ...parameters], { encoding: "utf8" }).trim();
}
