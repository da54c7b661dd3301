import { statSync } from "node:fs";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { SpoolFolder, spoolFolderPath } from "../../../src/delivery/spool/spool-folder.ts";
import * as sdkLimits from "../../../src/sdk-limits.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const nobodysPid = 4_000_000;
let path: string;
let folder: SpoolFolder;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "whence-spool-test-"));
  folder = new SpoolFolder(path, () => ["service"], "aa");
  return () => rm(path, { recursive: true });
});

/** Creates a file of another instance, last touched `ageMs` ago. */
async function leave(instance: string, { ageMs = 0, pid = nobodysPid, host = ownHost(), bytes = 1 } = {}) {
  const [group] = ownName().split(".");
  const file = join(path, `${group}.${host}.${pid}.${instance}.${instance}-1.spool`);
  await writeFile(file, "x".repeat(bytes));
  await utimes(file, (now - ageMs) / 1_000, (now - ageMs) / 1_000);
}

const ownName = (): string => folder.newPath().slice(path.length + 1);
const ownHost = (): string => ownName().split(".")[1] ?? hostname();
const abandoned = async (): Promise<string[]> =>
  (await folder.entries()).filter((entry) => folder.isAbandoned(entry, now)).map(({ owner }) => owner);

describe("the spool folder", () => {
  it("is created with its parents, for this user only", () => {
    const deep = join(path, "a/b/c");
    for (let time = 1; time <= 2; time++) new SpoolFolder(deep, () => ["service"], "aa").prepare();
    expect(statSync(deep).mode & 0o777).toBe(0o700);
  });

  it("isn't used where a folder exists but nothing can be created in it", () => {
    const nowhere = new SpoolFolder("/proc/nowhere/whence-spool", () => ["service"], "aa");
    expect(() => nowhere.prepare()).toThrow("ENOENT");
  });

  it("doesn't depend on the working directory", () => {
    expect(spoolFolderPath("data")).toBe(resolve("data/whence-spool"));
  });
});

describe("a file in the spool folder", () => {
  it("is abandoned as soon as its process is gone", async () => {
    await leave("bb");
    await leave("cc", { pid: process.ppid });
    expect(await abandoned()).toEqual(["bb"]);
  });

  it("is abandoned after a minute without a touch when its process can't be checked", async () => {
    await leave("bb", { host: "00000000", ageMs: sdkLimits.spoolStaleMs });
    await leave("cc", { host: "00000000", ageMs: sdkLimits.spoolStaleMs + 1 });
    await leave("dd", { pid: process.pid });
    expect(await abandoned()).toEqual(["cc"]);
  });

  it("is claimed by one process", async () => {
    await leave("bb");
    const other = new SpoolFolder(path, () => ["service"], "ee");
    const [entry] = await folder.entries();
    if (!entry) throw new Error("no entry");
    const claims = await Promise.all([folder.claim(entry, now), other.claim(entry, now)]);
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  it("belongs to one service", async () => {
    await leave("bb");
    expect(await new SpoolFolder(path, () => ["another"], "ee").entries()).toEqual([]);
  });

  it("is deleted after seven days, and not before", async () => {
    await leave("bb", { ageMs: sdkLimits.spoolAgeMaxMs });
    await leave("cc", { ageMs: sdkLimits.spoolAgeMaxMs + 1 });
    expect(await folder.tidy(now)).toBe(1);
    expect((await folder.entries()).map(({ owner }) => owner)).toEqual(["bb"]);
  });

  it("is deleted by any service, since its own may never start again", async () => {
    await leave("bb", { ageMs: sdkLimits.spoolAgeMaxMs + 1 });
    expect(await new SpoolFolder(path, () => ["another"], "ee").tidy(now)).toBe(1);
    expect(await readdir(path)).toEqual([]);
  });

  it("is deleted when there are more than a hundred, oldest first", async () => {
    for (let count = 0; count < sdkLimits.spoolFilesMax; count++) await leave(`b${count}`, { ageMs: 1_000 - count });
    expect(await folder.tidy(now)).toBe(0);
    await leave("ff");
    expect(await folder.tidy(now)).toBe(1);
    expect(await readdir(path)).toHaveLength(sdkLimits.spoolFilesMax);
    expect((await folder.entries())[0]?.owner).toBe("b1");
  });

  it("is deleted when all hold more than 64 MiB, oldest first", async () => {
    const bytes = sdkLimits.spoolBytesMax / 2;
    await leave("bb", { bytes, ageMs: 2 });
    await leave("cc", { bytes, ageMs: 1 });
    expect(await folder.tidy(now)).toBe(0);
    await leave("dd");
    expect(await folder.tidy(now)).toBe(1);
    expect((await folder.entries()).map(({ owner }) => owner)).toEqual(["cc", "dd"]);
  });
});
