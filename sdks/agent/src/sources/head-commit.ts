import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type SourceCommit, sourceCommitSchema } from "@whence/protocol";

const run = promisify(execFile);
const gitTimeoutMs = 5_000;

/** Returns the commit that a folder has checked out; null without git or a repository. */
export async function headCommit(folder: string): Promise<SourceCommit | null> {
  try {
    const args = ["--no-optional-locks", "log", "-1", "--format=%H%x00%an%x00%s%x00%ct"];
    const { stdout } = await run("git", args, { cwd: folder, timeout: gitTimeoutMs });
    const [id, author, subject, seconds] = stdout.trimEnd().split("\0");
    const at = new Date(Number(seconds) * 1_000).toISOString();
    return sourceCommitSchema.parse({ id, author, subject, at });
  } catch {
    return null;
  }
}
