import { readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type CaseTree, pathIn } from "../case-tree.ts";
import { isReserved } from "../corpora/reserved.ts";
import type { PrintedFrame } from "../frames.ts";
import { Clone, clonesFolder } from "./clone.ts";
import { culpritsIn } from "./culprits.ts";
import { type Half, halves, type PastedCase, pathOf } from "./pasted-case.ts";
import { pastedFrames, pastedLanguages } from "./printed-frames.ts";
import { stackLines } from "./stack-lines.ts";
import { treeAt } from "./tree.ts";

/** More files than this are a change of its own, not a fix. */
const filesMax = 2;
/** So that no repository outweighs the others; what learns from the development half weighs cases by repository. */
const casesMax: Readonly<Record<Half, (language: string) => number>> = {
  development: () => 40,
  "held-out": (language) => (language === "python" ? 8 : 12),
};

/** The same project under another name, or a part of one before it was split off. */
const forks: ReadonlySet<string> = new Set([
  "ManageIQ/manageiq-providers-amazon",
  "ManageIQ/manageiq-providers-openstack",
  "ManageIQ/manageiq-ui-classic",
  "bundler/bundler",
  "mperham/sidekiq",
  "npm/npm",
  "puppetlabs/beaker",
  "searx/searx",
  "ytdl-org/youtube-dl",
]);

/** The lines that begin a function, so that git says which one a change is in. */
const attributes = join(tmpdir(), "whence-pasted-attributes");
writeFileSync(
  attributes,
  "*.py diff=python\n*.go diff=golang\n*.java diff=java\n*.rb diff=ruby\n*.php diff=php\n*.rs diff=rust\n",
);

/** The stacks that were taken: a fork, or a repository that another one went into, has the same commits. */
const seen = new Set<string>();
const found = new Map<Half, PastedCase[]>(halves.map((half) => [half, []]));
// What is held out keeps a stack that both halves have.
for (const repository of clonedRepositories().toSorted(
  (one, other) => Number(isHeldOut(other)) - Number(isHeldOut(one)),
)) {
  const half = halfOf(repository);
  const cases = casesOf(repository, casesMax[half]);
  console.log(`${repository}: ${cases.length} cases, ${half}`);
  found.get(half)?.push(...cases);
}
for (const [half, cases] of found) writeFileSync(pathOf(half), cases.map((one) => `${JSON.stringify(one)}\n`).join(""));

function halfOf(repository: string): Half {
  return halves[crc32(repository) % halves.length] ?? "development";
}

function isHeldOut(repository: string): boolean {
  return halfOf(repository) === "held-out";
}

function clonedRepositories(): string[] {
  const names = readdirSync(clonesFolder() ?? ".").filter((name) => name.includes("+"));
  return names
    .map((name) => name.replace("+", "/"))
    .filter((name) => !isReserved("", name) && !forks.has(name))
    .sort();
}

function casesOf(repository: string, max: (language: string) => number): PastedCase[] {
  const clone = Clone.of(repository);
  if (clone === undefined) return [];
  const counts = new Map<string, number>();
  const byHash = clone.messages().toSorted((one, other) => (one.commit < other.commit ? -1 : 1));
  return byHash.flatMap(({ commit, message }) => {
    const stack = stackIn(message);
    if (stack === undefined || seen.has(stack.signature)) return [];
    const { language, lines } = stack;
    const known = counts.get(language) ?? 0;
    if (known >= max(language)) return [];
    const culprits = culpritsIn(clone.changes(commit, attributes), language);
    const files = new Set(culprits.map(({ file }) => file));
    if (files.size === 0 || files.size > filesMax || !isOfProject(stack, treeAt(clone, `${commit}^`, language)))
      return [];
    seen.add(stack.signature);
    counts.set(language, known + 1);
    return [{ language, repository, fix: commit, lines, culprits }];
  });
}

interface FoundStack {
  readonly language: string;
  readonly lines: [number, number];
  readonly frames: readonly PrintedFrame[];
  /** The same for the same stack in another commit, as in a backport. */
  readonly signature: string;
}

function stackIn(message: string): FoundStack | undefined {
  const language = pastedLanguages.find((one) => pastedFrames(message, one).length > 1);
  const lines = language === undefined ? undefined : stackLines(message, language);
  if (language === undefined || lines === undefined) return undefined;
  const text = message
    .split("\n")
    .slice(lines[0] - 1, lines[1])
    .join("\n");
  const frames = pastedFrames(text, language);
  return { language, lines, frames, signature: frames.map(({ file, line }) => `${file}:${line}`).join() };
}

function isOfProject({ frames }: FoundStack, tree: CaseTree): boolean {
  return frames.some(({ file }) => tree.isProject(pathIn(tree, file)));
}
