import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStorage, type Storage } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeLimits } from "../../src/changes/change-limits.ts";
import type { ReleaseChanges } from "../../src/changes/release-changes.ts";
import { uploadedChanges } from "../../src/changes/uploaded-changes.ts";
import { ada, type Files, uploadRelease } from "./release-case.ts";

let storage: Storage;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-changes-"));
  storage = await openStorage({ dataDirectory: folder, retentionDays: 30 });
});
afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

const { signal } = new AbortController();

/** What lies between 1.0.0 and 2.0.0 of `shop`. */
async function compare(old: Files, now: Files, named = { from: "1.0.0", to: "2.0.0" }): Promise<ReleaseChanges | null> {
  const scopeId = `org_${randomUUID()}`;
  const { control } = storage;
  await uploadRelease(control, scopeId, { service: "shop", release: "1.0.0", files: old });
  await uploadRelease(control, scopeId, { service: "shop", release: "2.0.0", files: now, commit: ada });
  return uploadedChanges(control).between({ scopeId, service: "shop", ...named }, signal, () => undefined);
}

const files = (changes: ReleaseChanges | null) => changes?.files.map(({ path, hunks }) => [path, ...hunks]);
const lines = (count: number, text = "line"): string =>
  Array.from({ length: count }, (_, at) => `${text} ${at}\n`).join("");
const same = { "src/same.js": "same();\n" };

describe("two uploaded releases", () => {
  it("differ in the lines of their files, and not in equal files", async () => {
    const changes = await compare(
      { ...same, "src/a.js": "one\ntwo\nthree\n" },
      { ...same, "src/a.js": "one\n2\nthree\n" },
    );
    expect(files(changes)).toEqual([["src/a.js", { from: 2, removed: ["two"], to: 2, added: ["2"] }]]);
    expect(changes).toMatchObject({ filesChanged: 1, isWhole: true, builtFrom: ada, commits: [ada] });
  });

  it("differ in nothing when a file only moved, and in the lines of one that moved and changed", async () => {
    expect(await compare({ "src/a.js": "a();\n" }, { "lib/b.js": "a();\n" })).toMatchObject({
      files: [],
      filesChanged: 0,
    });
    const moved = await compare({ "src/a.js": "a();\nb();\n" }, { "lib/a.js": "a();\nc();\n" });
    expect(files(moved)).toEqual([["lib/a.js", { from: 2, removed: ["b();"], to: 2, added: ["c();"] }]]);
  });

  it("differ in all lines of a file that was added or removed", async () => {
    const changes = await compare({ ...same, "src/old.js": "old();\n" }, { ...same, "src/new.js": "new();\n" });
    expect(files(changes)).toEqual([
      ["src/new.js", { from: 1, removed: [], to: 1, added: ["new();"] }],
      ["src/old.js", { from: 1, removed: ["old();"], to: 1, added: [] }],
    ]);
  });

  it("locate removed lines by the line after them", async () => {
    const changes = await compare({ "src/a.js": "one\ntwo\nthree\n" }, { "src/a.js": "one\nthree\n" });
    expect(files(changes)).toEqual([["src/a.js", { from: 2, removed: ["two"], to: 2, added: [] }]]);
  });

  it("differ in data, settings, and lists of dependencies, which come after code", async () => {
    const lock = (version: string) => `{\n  "pg": "${version}"\n}\n`;
    const changes = await compare(
      { ...same, "config/prices.json": "1\n", "app.yaml": "a: 1\n", "package-lock.json": lock("1"), "src/a.js": "a\n" },
      { ...same, "config/prices.json": "2\n", "app.yaml": "a: 2\n", "package-lock.json": lock("2"), "src/a.js": "b\n" },
    );
    expect(changes).toMatchObject({ filesChanged: 4, isWhole: true });
    const paths = changes?.files.map(({ path }) => path);
    expect(paths).toEqual(["src/a.js", "package-lock.json", "app.yaml", "config/prices.json"]);
  });

  it("differ in a lock file that is larger than code may be", async () => {
    const lock = (version: string) => `${lines(40_000, '  "resolved"')}pg ${version}\n`;
    const changes = await compare({ "package-lock.json": lock("1") }, { "package-lock.json": lock("2") });
    expect(changes).toMatchObject({ filesChanged: 1, isWhole: true });
    expect(changes?.files[0]?.hunks).toMatchObject([{ removed: ["pg 1"], added: ["pg 2"] }]);
  });

  it("have the name of a package with its version where a lock file writes it above", async () => {
    const lock = (version: string) => `[[package]]\nname = "pg"\nversion = "${version}"\n`;
    const changes = await compare({ "Cargo.lock": lock("1.0.0") }, { "Cargo.lock": lock("2.0.0") });
    expect(changes?.files[0]?.hunks).toMatchObject([
      { from: 1, to: 1, added: ["[[package]]", 'name = "pg"', 'version = "2.0.0"'] },
    ]);
  });

  it("aren't compared in tests, third-party code, and source maps", async () => {
    const skipped = ["test/a.js", "src/a.test.js", "tests/test_a.py", "node_modules/a/a.js", "dist/a.js.map"];
    for (const path of skipped) expect(files(await compare({ [path]: "a\n" }, { [path]: "b\n" }))).toEqual([]);
  });

  it("are complete unless a file is generated, binary, or too large to compare", async () => {
    const { fileBytesMax, lineUnitsMax } = changeLimits;
    const ordinary = lines(20_000).slice(0, fileBytesMax - 2);
    const at = (text: string) => compare({ "src/a.js": text }, { "src/a.js": `${text}\n` });
    expect(await at(ordinary)).toMatchObject({ isWhole: true });
    expect(await at(lines(80_000).slice(0, fileBytesMax))).toMatchObject({
      isWhole: false,
      files: [],
      filesChanged: 1,
    });
    expect(await at("x".repeat(lineUnitsMax))).toMatchObject({ isWhole: true });
    expect(await at("x".repeat(lineUnitsMax + 1))).toMatchObject({ isWhole: false, files: [] });
    expect(await at("\0")).toMatchObject({ isWhole: false, files: [] });
  });

  it("are complete up to the maximum number of files read", async () => {
    const all = (count: number, text: string): Files =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/${at}.js`, `${text}\n`]));
    const { filesMax } = changeLimits;
    expect(await compare(all(filesMax, "a"), all(filesMax, "b"))).toMatchObject({
      isWhole: true,
      filesChanged: filesMax,
    });
    const more = await compare(all(filesMax + 1, "a"), all(filesMax + 1, "b"));
    expect(more).toMatchObject({ isWhole: false, filesChanged: filesMax + 1 });
    expect(more?.files).toHaveLength(filesMax);
  });

  it("are complete up to the maximum number of hunks read", async () => {
    const every = (count: number, text: string): Files => ({ "src/a.js": `keep\n${text}\n`.repeat(count) });
    const { hunksMax } = changeLimits;
    expect(await compare(every(hunksMax, "a"), every(hunksMax, "b"))).toMatchObject({ isWhole: true });
    const more = await compare(every(hunksMax + 1, "a"), every(hunksMax + 1, "b"));
    expect(more).toMatchObject({ isWhole: false });
    expect(more?.files[0]?.hunks).toHaveLength(hunksMax);
  });

  it("are complete up to the maximum amount of text read", async () => {
    const { hunkUnitsMax, lineUnitsMax } = changeLimits;
    const line = `${"x".repeat(lineUnitsMax)}\n`;
    const half = line.repeat(hunkUnitsMax / lineUnitsMax / 2);
    const of = (more: Files) => compare(same, { ...same, "src/a.js": half, "src/b.js": half, ...more });
    expect(await of({})).toMatchObject({ isWhole: true });
    expect(await of({ "src/c.js": "c\n" })).toMatchObject({ isWhole: false, filesChanged: 3 });
  });

  it("have a long hunk split into several", async () => {
    const { hunkLinesMax } = changeLimits;
    const changes = await compare(same, { ...same, "src/a.js": lines(hunkLinesMax + 1) });
    expect(changes?.files[0]?.hunks.map(({ to, added }) => [to, added.length])).toEqual([
      [1, hunkLinesMax],
      [hunkLinesMax + 1, 1],
    ]);
  });

  it("are found by what a client reports: name, version, and commit", async () => {
    const named = { from: "shop@1.0.0+aaaaaaa", to: "shop@2.0.0+1a2b3c4" };
    expect(files(await compare({ "src/a.js": "a\n" }, { "src/a.js": "b\n" }, named))).toHaveLength(1);
  });

  it("aren't compared when one of them wasn't uploaded", async () => {
    expect(await compare(same, same, { from: "0.9.0", to: "2.0.0" })).toBeNull();
  });
});
