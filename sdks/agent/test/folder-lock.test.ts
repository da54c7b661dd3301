import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientLimits } from "../src/client-limits.ts";
import { withFolderLock } from "../src/folder-lock.ts";
import { temporaryFolder } from "./whence-command.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, "credentials.lock");
});
afterEach(() => folder.remove());

const program = join(import.meta.dirname, "programs/count-up.ts");

/** Starts a process that increments a number in a file many times, each time under the lock. */
function countUp(times: number, dies = false) {
  return spawn(process.execPath, [
    "--conditions=@whence/source",
    program,
    folder.path,
    String(times),
    dies ? "dies" : "",
  ]);
}

describe("a folder lock", () => {
  it("admits one process at a time", async () => {
    await writeFile(join(folder.path, "count"), "0");
    const exits = await Promise.all([countUp(20), countUp(20), countUp(20)].map((child) => once(child, "exit")));
    expect(exits.map(([code]) => code)).toEqual([0, 0, 0]);
    expect(await readFile(join(folder.path, "count"), "utf8")).toBe("60");
  });

  it("is taken over from a killed process, by one process at a time", async () => {
    await writeFile(join(folder.path, "count"), "0");
    const [, signal] = await once(countUp(1, true), "exit");
    expect(signal).toBe("SIGKILL");
    expect(await readFile(path, "utf8")).toContain(hostname());
    await Promise.all([countUp(5), countUp(5)].map((child) => once(child, "exit")));
    expect(await readFile(join(folder.path, "count"), "utf8")).toBe("10");
  });

  it("is taken over from another machine only after a long silence", async () => {
    const before = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    const staleSeconds = clientLimits.lockStaleMs / 1_000;
    await writeFile(path, "elsewhere 1 x");
    await utimes(path, before(staleSeconds - 10), before(staleSeconds - 10));
    const leaving = AbortSignal.timeout(500);
    await expect(withFolderLock(folder.path, async () => "in", leaving)).rejects.toThrow();
    await utimes(path, before(staleSeconds + 1), before(staleSeconds + 1));
    expect(await withFolderLock(folder.path, async () => "in")).toBe("in");
  });

  it("is released when the work fails", async () => {
    await expect(withFolderLock(folder.path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await withFolderLock(folder.path, async () => "in")).toBe("in");
  });

  it("is left to the process that took it over", async () => {
    await withFolderLock(folder.path, () => writeFile(path, "theirs"));
    expect(await readFile(path, "utf8")).toBe("theirs");
  });
});
