import { realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { limits, type SourceCommit } from "@whence/protocol";
import { type CopiedRun, CopiedRuns, hasFailed, Undecided } from "./copied-runs.ts";
import { type Git, gitIn } from "./git.ts";
import type { ProgramOptions } from "./run-program.ts";
import type { TreeCopy } from "./tree-copy.ts";

/** A commit, as people name it. */
export type NamedCommit = SourceCommit;

/** What a run at a commit says: the failure, none, or nothing. */
export type Verdict = "fails" | "passes" | "unjudged";

/** The outcome of a search through the commits. */
export type Bisected =
  /** The first commit with which the command failed, and the lines that it changed. */
  | { readonly kind: "found"; readonly commit: NamedCommit; readonly diff: string }
  /** One of several commits: the command couldn't be judged at those in between, or time ran out. */
  | { readonly kind: "among"; readonly commits: number; readonly isLate: boolean }
  /** The search can't begin, or says nothing. */
  | { readonly kind: "undecided"; readonly why: string };

/** The failure to find. */
export interface BisectedFailure {
  readonly command: readonly string[];
  /** A revision at which the command passed. */
  readonly good: string;
  /** How the messages of the failing error and its causes begin. */
  readonly failures: readonly string[];
}

/** What a search asks of its surroundings. */
export interface BisectPorts {
  readonly options: () => ProgramOptions;
  readonly isOver: () => boolean;
  /** Called after each run. */
  readonly onRun: (commit: NamedCommit, verdict: Verdict) => void;
}

/** UTF-16 units of the diff that is kept. */
const diffLengthMax = 20_000;

/**
 * Searches for the commit with which a failure began, between a good revision and the checked-out commit, as
 * `git bisect` does. At each commit, the command runs in a new copy of the tree, which has the commit's files and the
 * installed packages. Of the repository, only objects are read. A commit at which the command fails otherwise, can't run,
 * or is cut off says nothing, and another one near it is tried.
 */
export async function bisect(failure: BisectedFailure, ports: BisectPorts): Promise<Bisected> {
  try {
    const { cwd, environment } = ports.options();
    const git = gitIn(await realpath(cwd), environment);
    return await new Search(failure, ports, git).run();
  } catch (error) {
    ports.options().signal.throwIfAborted();
    if (error instanceof Undecided) return { kind: "undecided", why: error.message };
    throw error;
  }
}

class Search {
  readonly #failure: BisectedFailure;
  readonly #ports: BisectPorts;
  readonly #git: Git;
  readonly #runs: CopiedRuns;

  constructor(failure: BisectedFailure, ports: BisectPorts, git: Git) {
    this.#failure = failure;
    this.#ports = ports;
    this.#git = git;
    this.#runs = new CopiedRuns(failure.command, ports.options, ports.isOver);
  }

  async run(): Promise<Bisected> {
    const [good, head] = await this.#ends();
    if (this.#failure.failures.length === 0) throw new Undecided("no message of the failure is known to look for");
    const atHead = await this.#verdictAt(head);
    if (atHead === "passes")
      throw new Undecided("the command passes with what is committed: changes that aren't make it fail");
    if (atHead === "unjudged") throw new Undecided("the command doesn't fail in the same way in a copy of the tree");
    const atGood = await this.#verdictAt(good);
    const named = this.#failure.good;
    if (atGood === "fails") throw new Undecided(`the command fails at ${named} in the same way`);
    if (atGood === "unjudged") throw new Undecided(`the command can't run, or fails otherwise, at ${named}`);
    return this.#between(good, head);
  }

  async #between(good: string, head: string): Promise<Bisected> {
    const passing = [good];
    const unjudged = new Set<string>();
    for (let bad = head; ; ) {
      const left = await this.#commitsLeft(bad, passing);
      if (left.length <= 1) return await this.#found(bad);
      // The first halves the commits best.
      const next = left.find((commit) => commit !== bad && !unjudged.has(commit));
      if (next === undefined) return { kind: "among", commits: left.length, isLate: false };
      if (this.#ports.isOver()) return { kind: "among", commits: left.length, isLate: true };
      const verdict = await this.#verdictAt(next).catch((error: unknown) => {
        if (error instanceof Undecided && this.#ports.isOver()) return null;
        throw error;
      });
      if (verdict === null) return { kind: "among", commits: left.length, isLate: true };
      if (verdict === "fails") bad = next;
      else if (verdict === "passes") passing.push(next);
      else unjudged.add(next);
    }
  }

  async #ends(): Promise<readonly [string, string]> {
    const { good } = this.#failure;
    const commitOf = (revision: string) =>
      this.#git("rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`);
    const head = await commitOf("HEAD").catch(() => {
      throw new Undecided("this folder isn't in a Git repository with a commit");
    });
    const from = await commitOf(good).catch(() => {
      throw new Undecided(`"${good}" is no revision of this repository`);
    });
    await this.#git("merge-base", "--is-ancestor", from, head).catch(() => {
      throw new Undecided(`"${good}" isn't an ancestor of the checked-out commit`);
    });
    return [from, head];
  }

  /** The commits among which the first bad one is, with it. */
  async #commitsLeft(bad: string, passing: readonly string[]): Promise<string[]> {
    const listed = await this.#git("rev-list", "--bisect-all", bad, "--not", ...passing);
    return listed.split("\n").flatMap((line) => line.split(" ", 1).filter((commit) => commit !== ""));
  }

  async #verdictAt(commit: string): Promise<Verdict> {
    let isOriginal = (_output: string): boolean => false;
    const run = await this.#runs.after(async (tree) => {
      const [environment] = tree.environments;
      if (environment !== undefined)
        throw new Undecided(`packages of ${environment} could be changed by a run at an earlier commit: move it out`);
      const tracked = await this.#checkOut(commit, tree);
      isOriginal = (output) => namesFileOf(tree, tracked, output);
    });
    if (run.code !== 0 && isOriginal(run.output)) throw new Undecided("the copy runs code of the tree itself");
    const verdict = this.#verdictOf(run);
    this.#ports.onRun(await this.#named(commit), verdict);
    return verdict;
  }

  #verdictOf(run: CopiedRun): Verdict {
    if (run.code === 0) return "passes";
    return hasFailed(run, this.#failure.failures) ? "fails" : "unjudged";
  }

  /** Replaces the tracked files of the copy by a commit's, with an index of its own. Returns those of the checkout. */
  async #checkOut(commit: string, tree: TreeCopy): Promise<ReadonlySet<string>> {
    const listed = await this.#git("ls-files", "-z", "--full-name", "--stage", ":/");
    const tracked = listed.split("\0").flatMap((entry) => {
      const [stage = "", path] = entry.split("\t", 2);
      return path === undefined || stage.startsWith(submodule) ? [] : [path];
    });
    for (const path of tracked) await removeIn(tree, path);
    const index = join(tree.folder, ".whence-index");
    const inCopy = this.#git.withTree(tree.folder, index);
    await inCopy("read-tree", commit);
    await inCopy("checkout-index", "--all", "--force", "--quiet");
    await rm(index);
    return new Set(tracked);
  }

  async #found(id: string): Promise<Bisected> {
    const shown = ["--format=", "--unified=1", "--no-color", "--no-ext-diff", "--no-textconv", "--no-show-signature"];
    const diff = await this.#git("show", ...shown, id);
    return { kind: "found", commit: await this.#named(id), diff: diff.slice(0, diffLengthMax).toWellFormed() };
  }

  async #named(commit: string): Promise<NamedCommit> {
    const said = await this.#git(
      "show",
      "--no-patch",
      "--no-show-signature",
      "--format=%H%x00%an%x00%aI%x00%s",
      commit,
    );
    const [id = commit, author = "", at = "", subject = ""] = said.split("\0");
    return {
      id,
      author: author.slice(0, limits.serviceLengthMax).toWellFormed(),
      at: new Date(at).toISOString(),
      subject: subject.slice(0, limits.fileNameLengthMax).toWellFormed(),
    };
  }
}

/** The mode of a submodule, whose files are another repository's. */
const submodule = "160000";

/** Removes a file of the copy, unless a link leads there: what it leads to isn't the copy's. */
async function removeIn({ folder }: TreeCopy, path: string): Promise<void> {
  const parent = dirname(join(folder, path));
  const real = await realpath(parent).catch(() => null);
  if (real === parent) await rm(join(folder, path), { force: true });
}

/**
 * Whether an output names a file of the tree itself, as when a package of it is installed. Other packages are linked from
 * the tree, and may be named.
 */
function namesFileOf({ root }: TreeCopy, tracked: ReadonlySet<string>, output: string): boolean {
  const named = output.split(`${root}/`).slice(1);
  return named.some((rest) => tracked.has(/^[^\s:"'()]{1,1000}/.exec(rest)?.[0] ?? ""));
}
