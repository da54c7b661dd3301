import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const outputBytesMax = 1_000_000_000;

/** The folder of the clones, `OWNER+NAME/repo` each; undefined when `WHENCE_CLONES` names none. */
export function clonesFolder(): string | undefined {
  return process.env.WHENCE_CLONES;
}

/** A repository with its history, as `git clone` fetches it. */
export class Clone {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens the clone of a repository; undefined when there is none. */
  static of(repository: string): Clone | undefined {
    const folder = join(clonesFolder() ?? "", repository.replace("/", "+"), "repo");
    return clonesFolder() !== undefined && existsSync(folder) ? new Clone(folder) : undefined;
  }

  /** The message of a commit. */
  message(commit: string): string {
    return this.#git(["log", "-1", "--format=%B", commit]) ?? "";
  }

  /** The messages of all commits that lead to the newest one and have a single parent. */
  messages(): { commit: string; message: string }[] {
    const log = this.#git(["log", "--max-parents=1", "--min-parents=1", "--format=%x00%H%n%B"]) ?? "";
    return log
      .split("\0")
      .slice(1)
      .map((entry) => ({ commit: entry.slice(0, 40), message: entry.slice(41) }));
  }

  /** The paths of all files at a revision. */
  paths(revision: string): string[] {
    return (this.#git(["ls-tree", "-r", "-z", "--name-only", revision]) ?? "").split("\0").filter(Boolean);
  }

  /** The text of a file at a revision; undefined when there is none. */
  read(revision: string, path: string): string | undefined {
    return this.#git(["show", `${revision}:${path}`]);
  }

  /** The files at a revision that contain one of some words. */
  search(revision: string, words: readonly string[]): string[] {
    if (words.length === 0) return [];
    const found = this.#git(["grep", "-l", "-z", "-F", ...words.flatMap((word) => ["-e", word]), revision, "--"]) ?? "";
    return found
      .split("\0")
      .filter(Boolean)
      .map((name) => name.slice(revision.length + 1));
  }

  /** What a commit changed, without context, each hunk with the line of the function that it is in. */
  changes(commit: string, attributes: string): string {
    return (
      this.#git(["-c", `core.attributesFile=${attributes}`, "diff", "-U0", "-w", "-M", `${commit}^`, commit]) ?? ""
    );
  }

  #git(parameters: readonly string[]): string | undefined {
    const { status, stdout } = spawnSync("git", ["-C", this.#folder, ...parameters], {
      encoding: "utf8",
      maxBuffer: outputBytesMax,
    });
    return status === 0 ? stdout : undefined;
  }
}
