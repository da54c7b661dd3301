import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ControlDb, NewSourceBundle } from "../../../src/index.ts";
import { after, now, organization, sourceRoom } from "./samples.ts";

const roomy = sourceRoom.bytesMax;
const commit = { id: "1a2b3c4d5e6f", author: "Ada", subject: "rename amount", at: now.toISOString() };

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function bundle(texts: Readonly<Record<string, string>>, about: Partial<NewSourceBundle> = {}): NewSourceBundle {
  const files = Object.entries(texts).map(([path, text]) => ({ path, sha256: sha256(text) }));
  return { service: "orders", release: "1.0.0", commit: null, files, keyId: "key_ci", now, ...about };
}

/** What every control database does about uploaded source files. */
export function describeSources(name: string, db: () => ControlDb): void {
  const newScope = async () => db().scope(await organization(db()));

  describe(`${name}: sources`, () => {
    it("are stored once every text is there, and read by service and release", async () => {
      const { sources } = await newScope();
      const wanted = bundle({ "src/a.js": "a", "src/b.js": "b", "src/c.js": "a" }, { commit });
      expect(await sources.put(wanted, sourceRoom)).toEqual({
        outcome: "missing",
        sha256s: [sha256("a"), sha256("b")],
      });
      expect(await sources.files("orders", "1.0.0")).toBeNull();
      expect(await sources.addContents(["a", "b"], roomy, now)).toBe(true);
      expect(await sources.put(wanted, sourceRoom)).toEqual({ outcome: "stored" });
      expect(await sources.files("orders", "1.0.0")).toEqual({
        commit,
        uploadedAt: now.toISOString(),
        files: wanted.files.toSorted((left, right) => (left.path < right.path ? -1 : 1)),
      });
      expect(await sources.content(sha256("b"))).toBe("b");
      const uploaded = { service: "orders", release: "1.0.0", origin: "uploaded", commit, files: 3, key_id: "key_ci" };
      expect(await sources.list()).toEqual([
        { ...uploaded, bytes: expect.any(Number), uploaded_at: now.toISOString() },
      ]);
    });

    it("are found by the names that they contain and define, within the scope", async () => {
      const [mine, theirs] = [await newScope(), await newScope()];
      const [caller, made] = ["totalOf(order);\n", "export function totalOf(order) {}\n"];
      await mine.sources.addContents([caller, made, "subtotalOf(order);\n"], roomy, now);
      const all = [caller, made, "subtotalOf(order);\n"].map(sha256);
      expect(await mine.sources.naming(all, ["totalOf", "absent"])).toEqual(
        new Map([
          [sha256(caller), { contains: ["totalOf"], defines: [] }],
          [sha256(made), { contains: ["totalOf"], defines: ["totalOf"] }],
        ]),
      );
      expect((await mine.sources.naming(all.slice(0, 1), ["totalOf"])).size).toBe(1);
      expect(await theirs.sources.naming(all, ["totalOf"])).toEqual(new Map());
    });

    it("share texts between releases of a scope, and with no other scope", async () => {
      const [mine, theirs] = [await newScope(), await newScope()];
      await mine.sources.addContents(["shared"], roomy, now);
      const list = bundle({ "a.js": "shared", "b.js": "new" });
      expect(await mine.sources.put(list, sourceRoom)).toEqual({ outcome: "missing", sha256s: [sha256("new")] });
      expect(await theirs.sources.put(bundle({ "a.js": "shared" }), sourceRoom)).toEqual({
        outcome: "missing",
        sha256s: [sha256("shared")],
      });
      expect(await theirs.sources.content(sha256("shared"))).toBeNull();
      await mine.sources.put(bundle({ "a.js": "shared" }), sourceRoom);
      expect(await theirs.sources.files("orders", "1.0.0")).toBeNull();
      expect(await theirs.sources.list()).toEqual([]);
      expect(await theirs.sources.remove("orders", "1.0.0")).toBe(false);
    });

    it("are replaced when a release is uploaded again", async () => {
      const { sources } = await newScope();
      await sources.addContents(["a", "b"], roomy, now);
      await sources.put(bundle({ "a.js": "a", "gone.js": "a" }), sourceRoom);
      await sources.put(bundle({ "a.js": "b" }), sourceRoom);
      expect((await sources.files("orders", "1.0.0"))?.files).toEqual([{ path: "a.js", sha256: sha256("b") }]);
    });

    it.each([
      [2, ["3", "2"]],
      [3, ["3", "2", "1"]],
    ])("keep the %i releases of a service that were uploaded last", async (releasesPerServiceMax, kept) => {
      const { sources } = await newScope();
      const room = { ...sourceRoom, releasesPerServiceMax };
      await sources.addContents(["a"], roomy, now);
      await sources.put(bundle({ "a.js": "a" }, { service: "cart", release: "0" }), room);
      for (const release of [1, 2, 3]) {
        await sources.put(bundle({ "a.js": "a" }, { release: String(release), now: after(release) }), room);
      }
      const listed = await sources.list();
      expect(listed.filter(({ service }) => service === "orders").map(({ release }) => release)).toEqual(kept);
      expect(listed.filter(({ service }) => service === "cart")).toHaveLength(1);
    });

    it("have room up to the bound, and nothing is stored beyond it", async () => {
      const { sources } = await newScope();
      expect(await sources.addContents(["first"], 1, now)).toBe(false);
      expect(await sources.content(sha256("first"))).toBeNull();
      expect(await sources.addContents(["first"], roomy, now)).toBe(true);
    });

    it("count the list of a release and the release itself against the bound, on both sides of it", async () => {
      const [mine, theirs] = [await newScope(), await newScope()];
      for (const { sources } of [mine, theirs]) await sources.addContents(["a"], roomy, now);
      const outcome = async (list: NewSourceBundle, bytesMax: number) =>
        (await mine.sources.put(list, { ...sourceRoom, bytesMax })).outcome;
      const list = bundle({ [`${"long/".repeat(40)}a.js`]: "a" }, { commit });
      let [refused, stored] = [0, 100_000];
      while (stored - refused > 1) {
        const bytesMax = Math.floor((refused + stored) / 2);
        if ((await outcome(list, bytesMax)) === "stored") stored = bytesMax;
        else refused = bytesMax;
        await mine.sources.remove("orders", "1.0.0");
      }
      expect(await outcome(list, refused)).toBe("no-room");
      expect(await mine.sources.files("orders", "1.0.0")).toBeNull();
      expect(await outcome(list, stored)).toBe("stored");
      expect(await outcome(list, stored)).toBe("stored");
      expect(await outcome({ ...list, release: "2.0.0" }, stored)).toBe("no-room");
      expect(await mine.sources.list()).toHaveLength(1);
      expect(await theirs.sources.put(list, { ...sourceRoom, bytesMax: stored })).toEqual({ outcome: "stored" });
      expect((await theirs.sources.list()).map(({ bytes }) => bytes)).toEqual([stored]);
    });

    it("take little for thousands of long paths with one text, and nothing more for the same list again", async () => {
      const { sources } = await newScope();
      await sources.addContents(["a"], roomy, now);
      const paths = Array.from({ length: 5_000 }, (_, index) => `${"folder/".repeat(100)}${index}.js`);
      const list = bundle(Object.fromEntries(paths.map((path) => [path, "a"])));
      const room = { ...sourceRoom, bytesMax: 50_000 };
      for (let release = 1; release <= 50; release += 1) {
        const files = release % 2 === 0 ? list.files : list.files.toReversed();
        const service = `service-${release}`;
        expect(await sources.put({ ...list, files, service }, room)).toEqual({ outcome: "stored" });
      }
      expect((await sources.files("service-50", "1.0.0"))?.files).toHaveLength(5_000);
    });

    it("free the room of a list with the last release that has it", async () => {
      const { sources } = await newScope();
      await sources.addContents(["a", "b"], roomy, now);
      const both = bundle({ "a.js": "a", "b.js": "b" });
      await sources.put(both, sourceRoom);
      await sources.put({ ...both, release: "2.0.0" }, sourceRoom);
      await sources.put(bundle({ "a.js": "a" }, { release: "2.0.0" }), sourceRoom);
      const kept = async () => {
        await db().sourceBundles.removeUnused(after(1));
        return Promise.all(["a", "b"].map((text) => sources.content(sha256(text))));
      };
      expect(await kept()).toEqual(["a", "b"]);
      await sources.remove("orders", "1.0.0");
      expect(await kept()).toEqual(["a", null]);
      await sources.remove("orders", "2.0.0");
      expect(await kept()).toEqual([null, null]);
      expect(await sources.put(bundle({ "c.js": "a" }), { ...sourceRoom, bytesMax: 0 })).toEqual({
        outcome: "missing",
        sha256s: [sha256("a")],
      });
      expect(await sources.addContents(["a"], 600, now)).toBe(true);
    });

    it("lose texts that no release has, a while after an upload last asked for them", async () => {
      const { sources } = await newScope();
      await sources.addContents(["used", "unused", "asked for"], roomy, now);
      await sources.put(bundle({ "a.js": "used" }), sourceRoom);
      await sources.put(bundle({ "a.js": "asked for", "b.js": "missing" }, { now: after(2) }), sourceRoom);
      await db().sourceBundles.removeUnused(after(1));
      expect(await sources.content(sha256("used"))).toBe("used");
      expect(await sources.content(sha256("asked for"))).toBe("asked for");
      expect(await sources.content(sha256("unused"))).toBeNull();
      expect(await sources.remove("orders", "1.0.0")).toBe(true);
      await db().sourceBundles.removeUnused(after(1));
      expect(await sources.content(sha256("used"))).toBeNull();
    });

    it("are listed by when they were uploaded, for what removes the old ones", async () => {
      const scopeId = await organization(db());
      const { sources } = db().scope(scopeId);
      await sources.addContents(["a"], roomy, now);
      await sources.put(bundle({ "a.js": "a" }, { release: "old" }), sourceRoom);
      await sources.put(bundle({ "a.js": "a" }, { release: "new", now: after(1_000) }), sourceRoom);
      const old = (await db().sourceBundles.uploadedBefore(after(1_000))).filter((one) => one.scopeId === scopeId);
      expect(old).toEqual([{ scopeId, service: "orders", release: "old" }]);
    });

    it("store a release of thousands of files", async () => {
      const { sources } = await newScope();
      const texts = Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`src/${index}.js`, `${index}`]));
      await sources.addContents(Object.values(texts), roomy, now);
      expect(await sources.put(bundle(texts), sourceRoom)).toEqual({ outcome: "stored" });
      expect((await sources.files("orders", "1.0.0"))?.files).toHaveLength(1_200);
    });
  });
}
