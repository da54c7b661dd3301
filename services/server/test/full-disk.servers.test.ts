import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

const main: string = join(import.meta.dirname, "../src/main.ts");
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-full-disk-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

/** Starts the service on a disk of its own, in a mount namespace that ends with it, and returns what it said. */
async function startOn(mountOptions: string): Promise<string> {
  const script = 'mount -t tmpfs -o "$1" tmpfs "$2" && shift 2 && exec "$@"';
  const environment = { ...process.env, WHENCE_DATA_DIR: join(folder, "data"), WHENCE_BOOTSTRAP_API_KEY: "" };
  const server = [process.execPath, "--conditions=@whence/source", main];
  const ended = promisify(execFile)(
    ...(["unshare", ["-rm", "sh", "-c", script, "sh", mountOptions, folder, ...server]] as const),
    { env: environment },
  );
  const failure: unknown = await ended.then(
    () => undefined,
    (error: unknown) => error,
  );
  return failure instanceof Error && "stderr" in failure ? String(failure.stderr).trim() : "";
}

describe("the first start on a disk that can't be written", () => {
  it.each([
    ["size=4k,nr_inodes=2", "its disk is full: free space"],
    ["size=4k", "its disk is full: free space"],
    ["size=1m", "its disk has 1 MB free and the first start needs 16 MB: free space"],
    ["size=1m,ro", "its file system is read-only: mount it writable, or choose another directory"],
  ])("with %s says in one line that it can't, and why", async (mountOptions, reason) => {
    const said = `the data directory ${join(folder, "data")} can't be written: ${reason}`;
    expect(await startOn(mountOptions)).toBe(`${said} (WHENCE_ERR_DATA_DIRECTORY_UNWRITABLE)`);
  });
});
