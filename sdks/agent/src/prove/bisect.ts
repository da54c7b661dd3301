import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { failureIn } from "./compare-runs.ts";
import { type EndedProgram, type ProgramOptions, runProgram } from "./run-program.ts";

/** A commit, as people name it. */
export interface NamedCommit {
  readonly id: string;
  readonly author: string;
  /** RFC 3339. */
  readonly at: string;
  readonly subject: string;
}

/** What a search through the commits came to. */
export type Bisected =
  /** The first commit with which the command failed, and the lines that it changed. */
  | { readonly kind: "found"; readonly commit: NamedCommit; readonly diff: string }
  /** The command couldn't be judged at the commits in between, or the time was over. */
  | { readonly kind: "among"; readonly commits: number; readonly isLate: boolean }
  /** In a clean copy of the newest commit, the command passes. */
  | { readonly kind: "passes" }
  /** It fails at the good revision as well. */
  | { readonly kind: "fails-at-good" };

/** Why no search can begin. */
export class BisectRefusal extends Error {
  override readonly name = "BisectRefusal";
}

/** What a search asks of its surroundings. */
export interface BisectPorts {
  readonly program: Pick<ProgramOptions, "cwd" | "environment">;
  /** The time when the search ends, in milliseconds since the epoch. */
  readonly until: number;
  readonly clock: () => number;
  readonly outputBytesMax: number;
  /** Called after each run. */
  readonly onRun: (commit: NamedCommit, ended: EndedProgram) => void;
  readonly signal: AbortSignal;
}

/** Exit codes that say that a command can't be judged, as `git bisect run` reads them. */
const unjudged: ReadonlySet<number> = new Set([125, 126, 127]);
/** Folders of installed packages, which git ignores: they are linked into the copy. */
const installed: ReadonlySet<string> = new Set(["node_modules", ".venv", "venv"]);
const gitBytesMax = 64 * 1024 * 1024;
const diffLengthMax = 4_000;

/**
 * Searches for the commit with which a command began to fail, between a good revision and the checked-out commit, as
 * `git bisect` does. The command runs in a copy of the repository (a worktree in the folder for temporary files), so
 * the files and the index of the checkout stay as they are. A commit at which it can't run, or fails in another way, is
 * skipped. Rejects with a {@link BisectRefusal}.
 */
export async function bisect(command: readonly string[], good: string, ports: BisectPorts): Promise<Bisected> {
  const { cwd, environment } = ports.program;
  const git = gitWith(environment);
  const root = await git(cwd, "rev-parse", "--show-toplevel").catch(() => {
    throw new BisectRefusal("this folder isn't in a git repository");
  });
  const goodCommit = await git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", `${good}^{commit}`).catch(
    () => {
      throw new BisectRefusal(`"${good}" is no revision of this repository`);
    },
  );
  await git(root, "merge-base", "--is-ancestor", goodCommit, "HEAD").catch(() => {
    throw new BisectRefusal(`"${good}" isn't an ancestor of the checked-out commit`);
  });
  const folder = await mkdtemp(join(await realpath(tmpdir()), "whence-bisect-"));
  const copy = join(folder, basename(root));
  try {
    await git(root, "worktree", "add", "--quiet", "--detach", copy, "HEAD");
    const links = await installedFolders(root, git);
    const subfolder = relative(root, await realpath(cwd));
    return await new Search(command, ports, copy, { root, links, subfolder }).between(goodCommit);
  } finally {
    await git(root, "worktree", "remove", "--force", copy).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
    await git(root, "worktree", "prune").catch(() => undefined);
  }
}

interface Checkout {
  readonly root: string;
  /** Folders of installed packages, relative to the root. */
  readonly links: readonly string[];
  /** Where the command runs, relative to the root. */
  readonly subfolder: string;
}

class Search {
  readonly #command: readonly string[];
  readonly #ports: BisectPorts;
  readonly #copy: string;
  readonly #checkout: Checkout;
  readonly #git: Git;

  constructor(command: readonly string[], ports: BisectPorts, copy: string, checkout: Checkout) {
    this.#command = command;
    this.#ports = ports;
    this.#copy = copy;
    this.#checkout = checkout;
    this.#git = gitWith(ports.program.environment);
  }

  async between(good: string): Promise<Bisected> {
    const bad = await this.#git(this.#copy, "rev-parse", "HEAD");
    const failed = await this.#runAt(bad);
    if (failed.code === 0) return { kind: "passes" };
    if ((await this.#runAt(good)).code !== 0) return { kind: "fails-at-good" };
    const failure = failureIn(failed.output);
    let said = await this.#git(this.#copy, "bisect", "start", bad, good);
    for (;;) {
      const first = /^([0-9a-f]{40,64}) is the first bad commit$/m.exec(said)?.[1];
      if (first !== undefined) return await this.#found(first);
      const skipped = [...said.matchAll(/^[0-9a-f]{40,64}$/gm)].length;
      if (skipped > 0) return { kind: "among", commits: skipped, isLate: false };
      if (this.#ports.clock() >= this.#ports.until) return { kind: "among", commits: await this.#left(), isLate: true };
      const ended = await this.#runAt(await this.#git(this.#copy, "rev-parse", "HEAD"));
      said = await this.#git(this.#copy, "bisect", verdictOf(ended, failure));
    }
  }

  async #runAt(commit: string): Promise<EndedProgram> {
    const { program, clock, until, outputBytesMax, signal, onRun } = this.#ports;
    await this.#git(this.#copy, "checkout", "--quiet", "--force", "--detach", commit);
    await this.#link();
    const ended = await runProgram(this.#command, {
      ...{ cwd: join(this.#copy, this.#checkout.subfolder), environment: program.environment, outputBytesMax, signal },
      onOutput: () => undefined,
      withinMs: Math.max(1, until - clock()),
    });
    onRun(await named(this.#copy, commit, this.#git), ended);
    return ended;
  }

  /** Links the installed packages into folders that the commit has. */
  async #link(): Promise<void> {
    for (const folder of this.#checkout.links) {
      const hasFolder = await stat(dirname(join(this.#copy, folder))).catch(() => null);
      if (hasFolder) await symlink(join(this.#checkout.root, folder), join(this.#copy, folder)).catch(() => undefined);
    }
  }

  async #found(id: string): Promise<Bisected> {
    const diff = await this.#git(this.#copy, "show", "--format=", "--unified=1", "--no-color", "--no-ext-diff", id);
    return { kind: "found", commit: await named(this.#copy, id, this.#git), diff: diff.slice(0, diffLengthMax) };
  }

  /** How many commits the first bad one is among. */
  async #left(): Promise<number> {
    const left = await this.#git(
      this.#copy,
      "rev-list",
      "--count",
      "refs/bisect/bad",
      "--not",
      "--glob=refs/bisect/good-*",
    );
    return Number(left);
  }
}

/** A failure that begins otherwise is another one: the commit is skipped, as one at which the command can't run. */
function verdictOf({ code, output }: EndedProgram, failure: string | null): "good" | "bad" | "skip" {
  if (code === 0) return "good";
  return code === null || unjudged.has(code) || failureIn(output) !== failure ? "skip" : "bad";
}

async function installedFolders(root: string, git: Git): Promise<string[]> {
  const ignored = await git(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory");
  return ignored.split("\0").flatMap((path) => {
    const folder = path.replace(/\/$/, "");
    return installed.has(basename(folder)) ? [folder] : [];
  });
}

async function named(folder: string, commit: string, git: Git): Promise<NamedCommit> {
  const said = await git(folder, "show", "--no-patch", "--format=%H%x00%an%x00%aI%x00%s", commit);
  const [id = commit, author = "", at = "", subject = ""] = said.split("\0");
  return { id, author, at, subject };
}

type Git = (folder: string, ...args: readonly string[]) => Promise<string>;

/** Returns what runs git without hooks, in English. `git bisect` also prints what it found where it exits with 2. */
function gitWith(environment: ProgramOptions["environment"]): Git {
  const env = { ...environment, GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined, LC_ALL: "C" };
  return (cwd, ...args) =>
    new Promise((resolve, reject) => {
      const all = ["-c", "core.hooksPath=/dev/null", ...args];
      execFile("git", all, { cwd, env, maxBuffer: gitBytesMax }, (error, stdout) => {
        if (error && !(args[0] === "bisect" && error.code === 2)) reject(error);
        else resolve(stdout.trim());
      });
    });
}
