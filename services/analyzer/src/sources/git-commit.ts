import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type NamedRelease, releaseRefs, shortCommit } from "@whence/protocol";

const run = promisify(execFile);
const gitTimeoutMs = 2_000;
const listingBytesMax = 16_000_000;
/** Git repeats each name that it doesn't know, and a release's name has up to 200 characters. */
const answersBytesMax = 8_000;

/** A commit of a folder's repository, read without touching the files on disk. */
export interface GitCommit {
  /** The release's name in git: a tag, or the start of a commit's ID. */
  readonly name: string;
  readonly id: string;
}

/**
 * Returns the commit that a release was reported with, or that it names by tag (`1.4.2` and `shop@1.4.2` by `1.4.2` or
 * `v1.4.2`) or by ID (`3f2a91c`, `shop@1.4.2+3f2a91c`); null without such a commit or without git.
 */
export async function findCommit(folder: string, release: NamedRelease): Promise<GitCommit | null> {
  const { commits, tags } = releaseRefs(release);
  const names = [...commits, ...tags.map((tag) => `${tagPrefix}${tag}`)];
  const asked = names.map((name) => `${name}^{commit}\n`).join("");
  const answers = await git(folder, ["cat-file", "--batch-check=%(objectname)"], {
    input: asked,
    bytesMax: answersBytesMax,
  });
  const ids = answers?.split("\n").map((line) => (isObjectId.test(line) ? line : null)) ?? [];
  const at = ids.findIndex((id) => id !== null);
  const name = names[at];
  const id = ids[at];
  if (name === undefined || !id) return null;
  return { name: name.startsWith(tagPrefix) ? name.slice(tagPrefix.length) : shortCommit(name), id };
}

/** SHA-1 or SHA-256; git answers `NAME missing` for what it doesn't have. */
const isObjectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const tagPrefix = "refs/tags/";

/** Returns the paths of a commit below the folder; null when git fails. */
export async function pathsAt(folder: string, { id }: GitCommit): Promise<readonly string[] | null> {
  const listed = await git(folder, ["ls-tree", "-r", "-z", "--name-only", id, "."], { bytesMax: listingBytesMax });
  return listed?.split("\0").filter((path) => path !== "") ?? null;
}

/** Returns a file's text at a commit; null when it isn't there, or is larger. */
export function readAt(folder: string, { id }: GitCommit, path: string, bytesMax: number): Promise<string | null> {
  return git(folder, ["cat-file", "blob", `${id}:./${path}`], { bytesMax });
}

/** Returns the paths of files below the folder that contain one of the words at a commit. */
export async function searchAt(
  folder: string,
  { id }: GitCommit,
  words: readonly string[],
): Promise<readonly string[]> {
  const patterns = words.flatMap((word) => ["-e", word]);
  const found = await git(folder, ["grep", "-l", "-z", "-I", "-F", ...patterns, id, "--", "."], {
    bytesMax: listingBytesMax,
  });
  return found?.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(id.length + 1)])) ?? [];
}

interface GitCall {
  readonly input?: string;
  readonly bytesMax?: number;
}

/**
 * Returns the output of git; null when it fails, takes too long, or prints more than `bytesMax`. Use it only with
 * commands that write nothing.
 */
export async function git(
  folder: string,
  args: readonly string[],
  { input = "", bytesMax = 1_000 }: GitCall = {},
): Promise<string | null> {
  const options = { cwd: folder, timeout: gitTimeoutMs, maxBuffer: bytesMax };
  const running = run("git", ["--no-optional-locks", ...args], options);
  // Git may have ended before it read this; its own end says how.
  running.child.stdin?.on("error", () => undefined).end(input);
  try {
    return (await running).stdout;
  } catch {
    // Without git, a repository, or that name, the files on disk are read instead.
    return null;
  }
}
