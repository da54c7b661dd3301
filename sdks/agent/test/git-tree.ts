import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import { temporaryFolder } from "./whence-command.ts";

const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];

/** A repository, and a folder for temporary files beside it. */
export interface GitTree {
  /** The folder that contains both. */
  readonly folder: () => string;
  readonly path: () => string;
  /** Where copies of it are made. */
  readonly copies: () => string;
  readonly git: (...args: string[]) => string;
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
  /** Writes files, commits all, and returns the commit. */
  readonly commit: (subject: string, files: Readonly<Record<string, string>>) => Promise<string>;
}

/** Makes a new repository before each test, and removes it after. */
export function useGitTree(): GitTree {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const path = (): string => join(folder.path, "tree");
  const copies = (): string => join(folder.path, "temporary");
  const git = (...args: string[]): string =>
    execFileSync("git", [...author, ...args], { cwd: path(), encoding: "utf8" }).trim();
  const write: GitTree["write"] = async (files) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(path(), name, ".."), { recursive: true });
      await writeFile(join(path(), name), text);
    }
  };
  beforeEach(async () => {
    folder = await temporaryFolder();
    await mkdir(copies());
    await mkdir(path());
    vi.stubEnv("TMPDIR", copies());
    git("init", "--quiet");
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await folder.remove();
  });
  return {
    folder: () => folder.path,
    path,
    copies,
    git,
    write,
    commit: async (subject, files) => {
      await write(files);
      git("add", "--all");
      git("commit", "--quiet", "--message", subject);
      return git("rev-parse", "HEAD");
    },
  };
}
