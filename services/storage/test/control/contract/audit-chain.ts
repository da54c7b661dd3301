import { describe, expect, it } from "vitest";
import type { AuditVerdict, ControlDb } from "../../../src/index.ts";
import { now, organization, user } from "./samples.ts";

type Tables = {
  audit_entry: {
    scope_id: string;
    id: string;
    seq: number;
    user_name: string;
    user_name_salt: string | null;
    target: string;
    target_salt: string | null;
    hash: string;
  };
  audit_head: { scope_id: string; seq: number; hash: string };
};

const ada = { id: "usr_ada", name: "Ada" };

/** What every control database does about audit logs that were altered outside of the service. */
export function describeAuditChain(name: string, db: () => ControlDb): void {
  const tables = () => db().identity.db.withTables<Tables>();

  async function logOf(entries: number): Promise<{ id: string; hashes: string[] }> {
    const id = await organization(db());
    for (let entry = 1; entry <= entries; entry += 1) await record(id, `key ${entry}`);
    const rows = await tables()
      .selectFrom("audit_entry")
      .select("hash")
      .where("scope_id", "=", id)
      .orderBy("seq")
      .execute();
    return { id, hashes: rows.map(({ hash }) => hash) };
  }

  const record = (id: string, target: string) =>
    db().scope(id).audit.record({ action: "key.created", target, by: ada, now });
  const verdictOn = async (id: string): Promise<AuditVerdict | undefined> =>
    (await db().verifyAuditLog([])).organizations.find(({ organizationId }) => organizationId === id);
  const entryAt = (id: string, seq: number) =>
    tables()
      .selectFrom("audit_entry")
      .selectAll()
      .where("scope_id", "=", id)
      .where("seq", "=", seq)
      .executeTakeFirstOrThrow();

  describe(`${name}: the chain of audit entries`, () => {
    it("holds for what the service wrote, whatever stands in it", async () => {
      const { id } = await logOf(3);
      await record(id, `${"x".repeat(199)}🜁 and more`);
      await record(id, "nul \u0000, half \uD800, marker \uFDD0, ünï€ 🜁");
      await db()
        .scope(id)
        .audit.record({ action: "key.created", target: "", by: { id: "", name: "\uDC00" }, now });
      const verdict = await verdictOn(id);
      expect(verdict).toMatchObject({ entries: 6, head: expect.stringMatching(/^[0-9a-f]{64}$/), fault: null });
      const { missingHeads } = await db().verifyAuditLog([verdict?.head ?? "", "f".repeat(64)]);
      expect(missingHeads).toEqual(["f".repeat(64)]);
    });

    it("holds for entries that are written at once, which follow one another", async () => {
      const id = await organization(db());
      await Promise.all(Array.from({ length: 20 }, (_, entry) => record(id, `key ${entry}`)));
      expect(await verdictOn(id)).toMatchObject({ entries: 20, fault: null });
    });

    it("names the first entry that was changed", async () => {
      const { id } = await logOf(4);
      const { id: entryId } = await entryAt(id, 2);
      await tables().updateTable("audit_entry").set({ target: "nothing to see" }).where("id", "=", entryId).execute();
      expect(await verdictOn(id)).toMatchObject({ fault: { kind: "changed", seq: 2, entryId } });
    });

    it("holds after the account was removed that an entry names, and names what is changed then", async () => {
      const { id } = await logOf(1);
      const bob = await user(db());
      const invited = `${bob}@example.com (member)`;
      const scope = db().scope(id);
      await scope.audit.record({ action: "member.invited", target: invited, by: ada, now });
      await scope.audit.record({ action: "key.created", target: "key 3", by: { id: bob, name: "Bob" }, now });
      const { head } = (await verdictOn(id)) ?? {};
      expect(await db().accounts.remove(bob)).toEqual({ outcome: "removed" });

      const [written, named] = await scope.audit.list({ limit: 2 });
      expect([written?.actor.name, named?.target]).toEqual(["a removed account", "a removed account"]);
      expect(await verdictOn(id)).toMatchObject({ entries: 3, head, fault: null });
      const salts = [(await entryAt(id, 2)).target_salt, (await entryAt(id, 3)).user_name_salt];
      expect(salts).toEqual([null, null]);

      await tables().updateTable("audit_entry").set({ user_name: "Eve" }).where("id", "=", `${written?.id}`).execute();
      expect(await verdictOn(id)).toMatchObject({ fault: { kind: "changed", seq: 3, entryId: written?.id } });
    });

    it.each([
      { user_name: "Eve" },
      { target: "nothing to see" },
      { user_name: "a removed account" },
      { target_salt: null },
    ])("is broken by %j in an entry that names no removed account", async (change) => {
      const { id } = await logOf(2);
      const { id: entryId } = await entryAt(id, 1);
      await tables().updateTable("audit_entry").set(change).where("id", "=", entryId).execute();
      expect(await verdictOn(id)).toMatchObject({ fault: { kind: "changed", seq: 1, entryId } });
    });

    it.each([1, 2, 4])("names entry %i of four when it was removed", async (seq) => {
      const { id } = await logOf(4);
      const entry = await entryAt(id, seq);
      await tables().deleteFrom("audit_entry").where("id", "=", entry.id).execute();
      expect(await verdictOn(id)).toMatchObject({ fault: { kind: "removed", seq, entryId: null } });
    });

    it("names an entry that was inserted behind the last", async () => {
      const { id } = await logOf(2);
      const last = await entryAt(id, 2);
      await tables()
        .insertInto("audit_entry")
        .values({ ...last, id: `aud_forged_${id}`, seq: 3 })
        .execute();
      expect(await verdictOn(id)).toMatchObject({ fault: { kind: "inserted", seq: 3, entryId: `aud_forged_${id}` } });
    });

    it("names the place from which all was numbered and written again", async () => {
      const { id } = await logOf(3);
      const second = await entryAt(id, 2);
      await tables().updateTable("audit_entry").set({ seq: 9 }).where("id", "=", second.id).execute();
      const third = await entryAt(id, 3);
      await tables().updateTable("audit_entry").set({ seq: 2 }).where("id", "=", third.id).execute();
      expect(await verdictOn(id)).toMatchObject({ fault: { kind: "changed", seq: 2, entryId: third.id } });
    });

    it("does not contain a head that was noted before its last entries and the head itself were taken back", async () => {
      const { id, hashes } = await logOf(3);
      const [, second = "", noted = ""] = hashes;
      await tables().deleteFrom("audit_entry").where("scope_id", "=", id).where("seq", "=", 3).execute();
      await tables().updateTable("audit_head").set({ seq: 2, hash: second }).where("scope_id", "=", id).execute();
      expect(await verdictOn(id)).toMatchObject({ entries: 2, fault: null });
      expect((await db().verifyAuditLog([noted, second])).missingHeads).toEqual([noted]);
    });
  });
}
