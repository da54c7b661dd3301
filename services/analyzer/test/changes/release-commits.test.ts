import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStorage, type ReleaseCommit, type Storage } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChangeProvider } from "../../src/changes/release-changes.ts";
import { withReleaseCommits } from "../../src/changes/release-commits.ts";
import { uploadedChanges } from "../../src/changes/uploaded-changes.ts";
import { namedRelease } from "../../src/sources/named-release.ts";
import { ada, type Files, uploadRelease } from "./release-case.ts";

let storage: Storage;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-commits-"));
  storage = await openStorage({ dataDirectory: folder, retentionDays: 30 });
});
afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

const { signal } = new AbortController();
const now = new Date("2026-03-01T12:00:00.000Z");
const nothingKnown: ChangeProvider = { between: async () => null };

function commit(digit: string, paths: readonly string[] | null = []): ReleaseCommit {
  return { id: digit.repeat(40), author: "Ada", subject: `change ${digit}`, at: "2026-03-01T11:00:00.000Z", paths };
}
const plain = ({ paths: _, ...rest }: ReleaseCommit) => rest;

/** The commits of releases of `shop`, by release, newest first. */
type SetCommits = Readonly<Record<string, readonly ReleaseCommit[]>>;

async function withCommits(set: SetCommits): Promise<string> {
  const scopeId = `org_${randomUUID()}`;
  let time = now.getTime();
  const { releaseCommits } = storage.control.scope(scopeId);
  for (const [release, commits] of Object.entries(set)) {
    time += 1_000;
    await releaseCommits.announce(release, ["shop"], new Date(time), 100);
    await releaseCommits.set(release, commits, new Date(time));
  }
  return scopeId;
}

async function between(scopeId: string, provider: ChangeProvider) {
  const changes = withReleaseCommits(provider, storage.control);
  return changes.between({ scopeId, service: "shop", from: "shop@1.0.0", to: "2.0.0" }, signal, () => undefined);
}

const hunk = { from: 1, removed: ["a"], to: 1, added: ["b"] };

describe("the commits that a build tool set", () => {
  it("are all that is known of a release that no place knows, since the one before", async () => {
    const since = [commit("3", ["src/b.ts", "src/a.ts"]), commit("2", ["src/a.ts"])];
    const scopeId = await withCommits({ "1.0.0": [commit("1", ["src/c.ts"])], "2.0.0": [...since, commit("1")] });
    expect(await between(scopeId, nothingKnown)).toMatchObject({
      ...{ commits: since.map(plain), files: [], filesChanged: null, isWhole: false },
      committedPaths: ["src/b.ts", "src/a.ts"],
      builtFrom: plain(commit("3")),
    });
  });

  it("name the files that they change, without tests and pictures, and only if all are known", async () => {
    const pathsOf = async (...commits: ReleaseCommit[]) => {
      const scopeId = await withCommits({ "1.0.0": [commit("1")], "2.0.0": commits });
      return (await between(scopeId, nothingKnown))?.committedPaths;
    };
    const paths = ["src/a.ts", "src/a.test.ts", "docs/shop.png"];
    expect(await pathsOf(commit("2", paths))).toEqual(["src/a.ts"]);
    expect(await pathsOf(commit("3", paths), commit("2", null))).toEqual([]);
  });

  it.each<[string, SetCommits]>([
    ["those of the one before aren't known", { "2.0.0": [commit("2")] }],
    ["the release has those of the one before", { "1.0.0": [commit("1")], "2.0.0": [commit("1")] }],
    ["it has none", { "1.0.0": [commit("1")] }],
    ["the release before it was set later", { "2.0.0": [commit("2")], "1.0.0": [commit("1")] }],
    ["another was set between them", { "1.0.0": [commit("1")], "1.1.0": [commit("2")], "2.0.0": [commit("3")] }],
  ])("say nothing about what a release changed when %s", async (_, set) => {
    expect(await between(await withCommits(set), nothingKnown)).toBeNull();
  });

  describe("of uploaded releases", () => {
    const old: Files = { "src/a.ts": "a\n", "src/b.ts": "a\n" };
    const changed: Files = { "src/a.ts": "b\n", "src/b.ts": "b\n" };
    const uploaded = async (set: SetCommits, built?: typeof ada) => {
      const scopeId = await withCommits(set);
      await uploadRelease(storage.control, scopeId, { service: "shop", release: "1.0.0", files: old });
      const release = { service: "shop", release: "2.0.0", files: changed, ...(built && { commit: built }) };
      await uploadRelease(storage.control, scopeId, release);
      return between(scopeId, uploadedChanges(storage.control));
    };

    it("made the changes of a file that only one of them changed, in whichever folder of the repository", async () => {
      const commits = [commit("3", ["services/shop/src/a.ts"]), commit("2", ["src/b.ts", "docs/x.md"])];
      const changes = await uploaded({ "1.0.0": [commit("1")], "2.0.0": commits });
      expect(changes).toMatchObject({ filesChanged: 2, isWhole: true, commits: commits.map(plain) });
      expect(changes?.commitOf?.("src/a.ts", hunk)).toEqual(plain(commit("3")));
      expect(changes?.commitOf?.("src/b.ts", hunk)).toEqual(plain(commit("2")));
      expect(changes?.commitOf?.("a.ts", hunk)).toEqual(plain(commit("3")));
      expect(changes?.commitOf?.("src/c.ts", hunk)).toBeNull();
    });

    it("made no change for certain of a file that two of them changed, or whose paths aren't known", async () => {
      const twice = [commit("3", ["src/a.ts"]), commit("2", ["src/a.ts"])];
      const unknown = [commit("3", null), commit("2", null)];
      for (const commits of [twice, unknown]) {
        const changes = await uploaded({ "1.0.0": [commit("1")], "2.0.0": commits });
        expect(changes?.commitOf?.("src/a.ts", hunk)).toBeNull();
      }
    });

    it("name what the release was built from unless the upload does", async () => {
      const set = { "2.0.0": [commit("2")] };
      expect(await uploaded(set)).toMatchObject({ commits: [], builtFrom: plain(commit("2")) });
      expect(await uploaded(set, ada)).toMatchObject({ commits: [ada], builtFrom: ada });
    });
  });

  it("leave changes alone whose commits are known", async () => {
    const known = {
      ...{ version: "git 1..2", commits: [ada], files: [], filesChanged: 1, isWhole: true, builtFrom: null },
      commitOf: () => ada,
    };
    const scopeId = await withCommits({ "1.0.0": [commit("1")], "2.0.0": [commit("2")] });
    expect(await between(scopeId, { between: async () => known })).toBe(known);
  });

  it("name the commit by which a checkout or a code host finds the release, unless it was reported with one", async () => {
    const scopeId = await withCommits({ "2.0.0": [commit("3"), commit("2")] });
    const named = () => namedRelease(storage.control, { scopeId, service: "shop" }, "shop@2.0.0");
    expect(await named()).toEqual({ name: "shop@2.0.0", commit: commit("3").id });
    const live = { service: "shop", release: "2.0.0", env: "PROD", commit: "abcdef0", url: null, reportedBy: "key" };
    await storage.control.scope(scopeId).releases.report(live, now, 10);
    expect(await named()).toEqual({ name: "shop@2.0.0", commit: "abcdef0" });
  });
});
