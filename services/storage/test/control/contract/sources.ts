import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ControlDb, NewSourceBundle } from "../../../src/index.ts";
import { after, now, organization } from "./samples.ts";

const roomy = 1e9;
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
      expect((await sources.put(wanted, 10)).toSorted()).toEqual([sha256("a"), sha256("b")].toSorted());
      expect(await sources.files("orders", "1.0.0")).toBeNull();
      expect(await sources.addContents(["a", "b"], roomy, now)).toBe(true);
      expect(await sources.put(wanted, 10)).toEqual([]);
      expect(await sources.files("orders", "1.0.0")).toEqual({
        ...{ commit, uploadedAt: now.toISOString() },
        files: wanted.files.toSorted((left, right) => (left.path < right.path ? -1 : 1)),
      });
      expect(await sources.content(sha256("b"))).toBe("b");
      const uploaded = { service: "orders", release: "1.0.0", commit, files: 3, key_id: "key_ci" };
      expect(await sources.list()).toEqual([
        { ...uploaded, bytes: expect.any(Number), uploaded_at: now.toISOString() },
      ]);
    });

    it("share texts between releases of a scope, and with no other scope", async () => {
      const [mine, theirs] = [await newScope(), await newScope()];
      await mine.sources.addContents(["shared"], roomy, now);
      expect(await mine.sources.missing([sha256("shared"), sha256("new")], now)).toEqual([sha256("new")]);
      expect(await theirs.sources.missing([sha256("shared")], now)).toEqual([sha256("shared")]);
      expect(await theirs.sources.content(sha256("shared"))).toBeNull();
      await mine.sources.put(bundle({ "a.js": "shared" }), 10);
      expect(await theirs.sources.files("orders", "1.0.0")).toBeNull();
      expect(await theirs.sources.list()).toEqual([]);
      expect(await theirs.sources.remove("orders", "1.0.0")).toBe(false);
    });

    it("are replaced when a release is uploaded again", async () => {
      const { sources } = await newScope();
      await sources.addContents(["a", "b"], roomy, now);
      await sources.put(bundle({ "a.js": "a", "gone.js": "a" }), 10);
      await sources.put(bundle({ "a.js": "b" }), 10);
      expect((await sources.files("orders", "1.0.0"))?.files).toEqual([{ path: "a.js", sha256: sha256("b") }]);
    });

    it.each([
      [2, ["3", "2"]],
      [3, ["3", "2", "1"]],
    ])("keep the %i releases of a service that were uploaded last", async (keptMax, kept) => {
      const { sources } = await newScope();
      await sources.addContents(["a"], roomy, now);
      await sources.put(bundle({ "a.js": "a" }, { service: "cart", release: "0" }), keptMax);
      for (const release of [1, 2, 3]) {
        await sources.put(bundle({ "a.js": "a" }, { release: String(release), now: after(release) }), keptMax);
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

    it("lose texts that no release has, a while after an upload last asked for them", async () => {
      const { sources } = await newScope();
      await sources.addContents(["used", "unused", "asked for"], roomy, now);
      await sources.put(bundle({ "a.js": "used" }), 10);
      await sources.missing([sha256("asked for")], after(2));
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
      await sources.put(bundle({ "a.js": "a" }, { release: "old" }), 10);
      await sources.put(bundle({ "a.js": "a" }, { release: "new", now: after(1_000) }), 10);
      const old = (await db().sourceBundles.uploadedBefore(after(1_000))).filter((one) => one.scopeId === scopeId);
      expect(old).toEqual([{ scopeId, service: "orders", release: "old" }]);
    });

    it("store a release of thousands of files", async () => {
      const { sources } = await newScope();
      const texts = Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`src/${index}.js`, `${index}`]));
      await sources.addContents(Object.values(texts), roomy, now);
      expect(await sources.put(bundle(texts), 10)).toEqual([]);
      expect((await sources.files("orders", "1.0.0"))?.files).toHaveLength(1_200);
    });
  });
}
