import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ControlDb } from "../../../src/index.ts";
import { after, now, organization, sourceRoom } from "./samples.ts";

const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");
const part = (text: string) => ({ sha1: sha1(text), data: Buffer.from(text) });
const debugId = "bf4cbdf9-fb76-5b68-be8d-5218a7896b69";

/** What every control database does about bundles of built files. */
export function describeArtifacts(name: string, db: () => ControlDb): void {
  const newScope = async () => db().scope(await organization(db()));

  describe(`${name}: parts of bundles`, () => {
    it("are missing until they are stored, in their own scope alone", async () => {
      const [mine, theirs] = [await newScope(), await newScope()];
      const chunk = part("one");
      expect(await mine.artifacts.missingChunks([chunk.sha1], now)).toEqual([chunk.sha1]);
      for (let sent = 0; sent < 2; sent += 1) {
        expect(await mine.artifacts.addChunk(chunk, sourceRoom.bytesMax, now)).toBe(true);
      }
      expect(await mine.artifacts.missingChunks([chunk.sha1, sha1("two")], now)).toEqual([sha1("two")]);
      expect(Buffer.from((await mine.artifacts.chunk(chunk.sha1)) ?? []).toString()).toBe("one");
      expect(await theirs.artifacts.chunk(chunk.sha1)).toBeNull();
      await theirs.artifacts.removeChunks([chunk.sha1]);
      expect(await mine.artifacts.missingChunks([chunk.sha1], now)).toEqual([]);
      await mine.artifacts.removeChunks([chunk.sha1]);
      expect(await mine.artifacts.chunk(chunk.sha1)).toBeNull();
    });

    it("count toward the room of sources", async () => {
      const { artifacts } = await newScope();
      expect(await artifacts.addChunk(part("12345"), 5 + 512, now)).toBe(true);
      expect(await artifacts.addChunk(part("6"), 5 + 512, now)).toBe(false);
    });

    it("count once, however often they are sent", async () => {
      const { artifacts } = await newScope();
      for (let sent = 0; sent < 2; sent += 1) expect(await artifacts.addChunk(part("12345"), 5 + 512, now)).toBe(true);
    });

    it("are removed once no upload has named them since a moment", async () => {
      const { artifacts } = await newScope();
      for (const text of ["named", "left"]) await artifacts.addChunk(part(text), sourceRoom.bytesMax, now);
      await artifacts.missingChunks([sha1("named")], after(1));
      await db().sourceBundles.removeUnused(after(1));
      expect(await artifacts.missingChunks([sha1("named"), sha1("left")], now)).toEqual([sha1("left")]);
    });
  });

  describe(`${name}: built files with a debug ID`, () => {
    it("are found in their service alone, where the last upload put them", async () => {
      const [mine, theirs] = [await newScope(), await newScope()];
      await mine.artifacts.putFiles("shop", [{ debugId, release: "1", path: "a.js" }]);
      await mine.artifacts.putFiles("shop", [{ debugId, release: "2", path: "b.js" }]);
      expect(await mine.artifacts.files("shop", [debugId, "another"])).toEqual([
        { debugId, release: "2", path: "b.js" },
      ]);
      expect(await mine.artifacts.files("cart", [debugId])).toEqual([]);
      expect(await theirs.artifacts.files("shop", [debugId])).toEqual([]);
    });

    it("are forgotten once their release is gone", async () => {
      const { artifacts, sources } = await newScope();
      const release = { service: "shop", release: "1", commit: null, files: [], keyId: "key_ci", now };
      await sources.put(release, sourceRoom);
      await artifacts.putFiles("shop", [{ debugId, release: "1", path: "a.js" }]);
      await db().sourceBundles.removeUnused(after(-1));
      expect(await artifacts.files("shop", [debugId])).toHaveLength(1);
      await sources.remove("shop", "1");
      await db().sourceBundles.removeUnused(after(-1));
      expect(await artifacts.files("shop", [debugId])).toEqual([]);
    });
  });
}
