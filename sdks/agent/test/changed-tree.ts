import { join } from "node:path";
import { expect } from "vitest";
import type { NamedCommit } from "../src/prove/bisect.ts";
import { CopiedRuns } from "../src/prove/copied-runs.ts";
import type { SuspectPlace } from "../src/prove/searched-parts.ts";
import { type Undoing, undoChange } from "../src/prove/undo-change.ts";
import { type GitTree, useGitTree } from "./git-tree.ts";

export const lines = (count: number, changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, index) => `${changed[index + 1] ?? `// line ${index + 1}`}\n`).join("");
/** A program that fails unless its table, in a file of its own, has rows. */
export const program = {
  "app/main.js": `const { table } = require("./table.js");\ntable.rows.length;\n`,
  "app/table.js": lines(30, { 15: "exports.table = { rows: [] };" }),
};
export const broken = lines(30, { 3: "// another", 15: "exports.table = { items: [] };", 27: "// another" });
export const message = "Cannot read properties of undefined (reading 'length')";

interface Asked {
  readonly commit?: NamedCommit;
  readonly command?: readonly string[];
  readonly runsMax?: number;
  readonly suspects?: readonly SuspectPlace[];
}

/** What undoing a change came to, and its runs, each as `parts of all verdict`. */
interface Undone {
  readonly undoing: Undoing | null;
  readonly runs: readonly string[];
}

interface ChangedTree extends Omit<GitTree, "commit"> {
  readonly commit: (files: Readonly<Record<string, string>>) => Promise<NamedCommit>;
  /** Undoes a change of it, or what isn't committed. */
  readonly undo: (asked?: Asked) => Promise<Undone>;
}

/** Makes a new repository before each test, whose changes can be undone. */
export function useChangedTree(): ChangedTree {
  const tree = useGitTree();
  const commit: ChangedTree["commit"] = async (files) => {
    const id = await tree.commit("Change", files);
    return { id, author: "Ada", at: "2026-03-01T09:40:00.000Z", subject: "Change" };
  };
  const undo: ChangedTree["undo"] = async (asked = {}) => {
    const { commit: of, command = [process.execPath, "main.js"], runsMax = 1_000, suspects = [] } = asked;
    const runs: string[] = [];
    const options = () => ({
      ...{ cwd: join(tree.path(), "app"), environment: { PATH: process.env.PATH }, onOutput: () => undefined },
      ...{ outputBytesMax: 100_000, withinMs: 86_400_000, signal: new AbortController().signal },
    });
    const isOver = () => runs.length >= runsMax;
    const undoing = await undoChange(
      of ?? null,
      { failures: [message], suspects },
      new CopiedRuns(command, options, () => false),
      {
        ...{ options, isOver },
        onRun: ({ undone, parts, verdict }) => runs.push(`${undone} of ${parts} ${verdict}`),
      },
    );
    return { undoing, runs };
  };
  return { ...tree, commit, undo };
}

export const diffOf = (undoing: Undoing | null): string => (undoing?.kind === "undone" ? undoing.undone.diff : "");
export const undecided = (why: string) => ({ kind: "undecided", why: expect.stringContaining(why) });
