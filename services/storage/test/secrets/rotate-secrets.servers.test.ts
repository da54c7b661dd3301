import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { controlDatabases } from "../control/databases.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const [scopeId, otherScopeId] = ["org_1", "org_2"];
/** More than one step, and a part of another. */
const manyCredentials = 230;

describe.each(controlDatabases())("rotating the secret key of $name", ({ create }) => {
  it("leaves every credential readable with the new key alone", async () => {
    const open = await create();
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    const before = await open([older]);
    for (let index = 0; index < manyCredentials; index += 1) {
      await before.scope(index % 2 === 0 ? scopeId : otherScopeId).secrets.put(`key-${index}`, `value-${index}`, now);
    }
    const both = await open([newer, older]);
    await both.scope(scopeId).secrets.put("sealed already", "new", now);
    expect(await both.rotateSecrets(now)).toEqual({ rotated: manyCredentials, unreadable: 0 });
    expect(await both.rotateSecrets(now)).toEqual({ rotated: 0, unreadable: 0 });
    const after = await open([newer]);
    expect(await after.scope(scopeId).secrets.get("key-0")).toBe("value-0");
    expect(await after.scope(otherScopeId).secrets.get("key-229")).toBe("value-229");
    expect(await after.scope(scopeId).secrets.get("sealed already")).toBe("new");
  });

  it("counts what no known key opens, leaves it as it is, and continues with the rest", async () => {
    const open = await create();
    const [lost, older, newer] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    await (await open([lost])).scope(scopeId).secrets.put("b", "lost", now);
    const before = await open([older]);
    for (const name of ["a", "c"]) await before.scope(scopeId).secrets.put(name, "kept", now);
    const both = await open([newer, older]);
    expect(await both.rotateSecrets(now)).toEqual({ rotated: 2, unreadable: 1 });
    await expect(both.scope(scopeId).secrets.get("b")).rejects.toMatchObject({
      code: "WHENCE_ERR_SECRET_UNREADABLE",
      message: expect.stringContaining("credential b of org_1"),
    });
    expect(await (await open([lost])).scope(scopeId).secrets.get("b")).toBe("lost");
  });

  it("keeps what is set while it runs, and rotates each credential once when two run at the same time", async () => {
    const open = await create();
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    const before = await open([older]);
    for (let index = 0; index < manyCredentials; index += 1)
      await before.scope(scopeId).secrets.put(`key-${index}`, "old", now);
    const [one, other] = [await open([newer, older]), await open([newer, older])];
    const setMeanwhile = Array.from({ length: 40 }, (_, index) =>
      before.scope(scopeId).secrets.put(`key-${index * 5}`, "set meanwhile", now),
    );
    await Promise.all([one.rotateSecrets(now), other.rotateSecrets(now), ...setMeanwhile]);
    await one.rotateSecrets(now);
    const after = (await open([newer])).scope(scopeId).secrets;
    for (let index = 0; index < manyCredentials; index += 1) {
      expect(await after.get(`key-${index}`)).toBe(index % 5 === 0 && index < 200 ? "set meanwhile" : "old");
    }
  });

  it("rejects a credential whose row was moved to another scope or name", async () => {
    const open = await create();
    const db = await open([randomBytes(32)]);
    await db.scope(scopeId).secrets.put("slack", "xoxb", now);
    const tables = db.identity.db.withTables<{ secret: { scope_id: string; name: string } }>();
    await tables.updateTable("secret").set({ scope_id: otherScopeId }).execute();
    await expect(db.scope(otherScopeId).secrets.get("slack")).rejects.toMatchObject({
      code: "WHENCE_ERR_SECRET_UNREADABLE",
    });
  });
});
