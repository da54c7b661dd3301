import { describe, expect, it } from "vitest";
import type { ControlDb } from "../../../src/index.ts";
import { now, organization } from "./samples.ts";

/** What every control database does about credentials. It was opened with a secret key. */
export function describeSecrets(name: string, db: () => ControlDb): void {
  describe(`${name}: credentials`, () => {
    it("keeps a credential by scope and name, replaces it, and removes it once", async () => {
      const { secrets } = db().scope(await organization(db()));
      expect(await secrets.get("slack")).toBeNull();
      await secrets.put("slack", "xoxb-first", now);
      await secrets.put("slack", "xoxb-second", now);
      await secrets.put("github", "", now);
      expect(await secrets.get("slack")).toBe("xoxb-second");
      expect(await secrets.get("github")).toBe("");
      expect(await secrets.remove("slack")).toBe(true);
      expect(await secrets.remove("slack")).toBe(false);
      expect(await secrets.get("slack")).toBeNull();
    });

    it("shows and removes nothing of another scope", async () => {
      const mine = db().scope(await organization(db())).secrets;
      const theirs = db().scope(await organization(db())).secrets;
      await mine.put("slack", "xoxb-mine", now);
      expect(await theirs.get("slack")).toBeNull();
      expect(await theirs.remove("slack")).toBe(false);
      expect(await mine.get("slack")).toBe("xoxb-mine");
    });
  });
}
