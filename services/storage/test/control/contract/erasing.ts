import { createHash } from "node:crypto";
import { monitorChangeSchema } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { tablesNamingPeople } from "../../../src/control/access/accounts.ts";
import type { BackupRow, ControlDb } from "../../../src/index.ts";
import { aModel, modelRun } from "./models.ts";
import {
  actor,
  agent,
  newIncident,
  now,
  occurrence,
  openOrJoin,
  organization,
  sourceAllowance,
  sourceRoom,
  user,
} from "./samples.ts";

const by = { id: "usr_1", name: "Ada" };

async function rows(source: AsyncIterable<BackupRow>): Promise<BackupRow[]> {
  const read: BackupRow[] = [];
  for await (const row of source) read.push(row);
  return read;
}

/** What every control database removes and hands out when it is asked to. */
export function describeErasing(name: string, db: () => ControlDb): void {
  /** The tables in which anything of a scope is found, whatever column names it. */
  async function tablesWith(text: string): Promise<string[]> {
    const found = (await rows(db().exportRows())).filter(({ row }) => Object.values(row).includes(text));
    return [...new Set(found.map(({ table }) => table))].toSorted();
  }

  async function fill(scopeId: string): Promise<string> {
    const { incidents, failures, secrets, instructions, thresholds, audit, exitedProcesses, sources, ...scope } =
      db().scope(scopeId);
    const input = { kind: "text", errorLog: "boom", files: [{ name: "a.js", content: "secret source" }] } as const;
    const { id } = await incidents.open(newIncident({ input, service: "orders" }));
    const announcing = { kind: "grafana", name: "Grafana", inputs: {}, secrets: { secret: "s" } } as const;
    const { id: sourceId } = await scope.alertSources.add({ ...announcing, by, now });
    const change = monitorChangeSchema.parse({
      ...{ name: "Shop", service: "orders" },
      check: { kind: "uptime", url: "https://shop.example.com/" },
    });
    const progress = {
      ...{ failedChecks: 0, failingSince: null, alert: null, recoveredAt: null, incidentId: null },
      ...{ lastResult: null, expectedAt: null, runningSince: null, runId: null },
    };
    const monitor = await scope.monitors.add({ change, progress, keyHash: null, nextCheckAt: null, by, now });
    const result = { at: now.toISOString(), outcome: "passed", reason: "ok", duration_ms: 1, value: null } as const;
    await scope.monitors.write(monitor, { progress, nextCheckAt: null, result });
    const alert = { sourceId, key: "k", title: "down", url: null, firedAt: now.toISOString(), now };
    await scope.alerts.open({ ...alert, forgottenAfterMs: 1_000, allowance: sourceAllowance }, { id });
    const asked = { thread: "t", requestId: "r", how: "mentioned", question: "", author: "Ada" } as const;
    await scope.conversations.ask(sourceId, { ...asked, at: now.toISOString(), place: {} }, now);
    const posts = await db().conversations.take(now, { max: 1_000, perScopeMax: 1_000, holdMs: 1 });
    const conversationId = posts.find((post) => post.scopeId === scopeId)?.conversationId ?? "";
    await scope.conversations.open(conversationId, { title: "down", url: null }, { id }, now);
    await failures.decide(occurrence("v1:x"), openOrJoin);
    await secrets.put("slack", "xoxb", now);
    await instructions.write({ text: "be brief", version: 0, by, now });
    await scope.model.write(aModel, by, now);
    await scope.model.record(modelRun(id));
    await thresholds.replace(await thresholds.read());
    await exitedProcesses.note(["i-1"], now);
    await sources.addContents(["code"], 1e9, now);
    const files = [{ path: "a.js", sha256: createHash("sha256").update("code").digest("hex") }];
    await sources.put({ service: "orders", release: "1.0.0", commit: null, files, keyId: "key_ci", now }, sourceRoom);
    await audit.record({ action: "settings.changed", target: "retention", by, now });
    await db().keys.add({
      organizationId: scopeId,
      name: "ci",
      hash: `hash-${scopeId}`,
      prefix: "whk_",
      scope: "full",
      now,
    });
    await db().usage.add(scopeId, "2026-03-01", 3);
    const { token } = await agent(db());
    await db().agents.claim(token, { organizationId: scopeId, userId: by.id, name: by.name }, now);
    return id;
  }

  describe(`${name}: erasing`, () => {
    it("removes an incident with all that belongs to it, and nothing of another scope", async () => {
      const [mine, theirs] = [await organization(db()), await organization(db())];
      const id = await fill(mine);
      expect(await db().scope(theirs).incidents.remove(id, actor, now)).toBe(false);
      expect(await db().scope(mine).incidents.remove(id, actor, now)).toBe(true);
      expect(await db().scope(mine).incidents.remove(id, actor, now)).toBe(false);
      expect((await tablesWith(id)).filter((table) => table !== "outbox")).toEqual([]);
      expect((await db().scope(mine).incidents.list({ limit: 10 })).length).toBe(1);
    });

    it("forgets the failure of an incident that is removed, so that it opens another when it goes on", async () => {
      const scope = db().scope(await organization(db()));
      await scope.failures.decide(occurrence("v1:x"), openOrJoin);
      const [opened] = await scope.incidents.list({ limit: 1 });
      await scope.incidents.remove(opened?.id ?? "", actor, now);
      expect(await scope.failures.list({ limit: 10 })).toEqual([]);
      const again = { ...occurrence("v1:x"), eventId: "e-again" };
      expect((await scope.failures.decide(again, openOrJoin)).outcome).toBe("opened");
    });

    it("removes a service of a scope, and leaves the others", async () => {
      const scopeId = await organization(db());
      const { incidents } = db().scope(scopeId);
      const gone = await fill(scopeId);
      const { id: kept } = await incidents.open(newIncident({ service: "cart" }));
      const erasure = await db().erasures.request({ scopeId, service: "orders", now });
      expect(await db().erasures.pending()).toContainEqual(erasure);
      await db().erasures.removeRows(erasure, actor);
      expect([await incidents.find(gone), (await incidents.find(kept))?.id]).toEqual([null, kept]);
      expect((await db().scope(scopeId).failures.list({ limit: 10 })).some(({ service }) => service === "orders")).toBe(
        false,
      );
      await db().erasures.finish(erasure);
      expect(await db().erasures.pending()).not.toContainEqual(erasure);
    });

    it("removes all that an organization has but itself, its members and who did what", async () => {
      const [mine, theirs] = [await organization(db()), await organization(db())];
      await fill(mine);
      await fill(theirs);
      const userId = await user(db());
      await db().organizations.addMember({ organizationId: mine, userId, role: "owner", now });
      const before = await tablesWith(theirs);
      await db().erasures.removeRows(await db().erasures.request({ scopeId: mine, service: null, now }), actor);
      expect(await tablesWith(mine)).toEqual(["audit_entry", "audit_head", "erasure", "member", "organization"]);
      expect(await tablesWith(theirs)).toEqual(before);
    });

    it("forgets an organization's settings, but not that its members sign in without passwords", async () => {
      const organizationId = await organization(db());
      const settings = { retentionDays: 7, eventsPerDay: 5, inputBytesMax: 1_048_576, plainUsers: true };
      await db().organizations.configure(organizationId, { ...settings, passwordsOff: true });
      await db().erasures.removeRows(
        await db().erasures.request({ scopeId: organizationId, service: null, now }),
        actor,
      );
      expect(await db().organizations.settings(organizationId)).toEqual({
        ...{ retentionDays: null, eventsPerDay: null, inputBytesMax: null, plainUsers: false, passwordsOff: true },
      });
    });

    it("hands out all that a scope has, inputs unpacked, and no secret", async () => {
      const [mine, theirs] = [await organization(db()), await organization(db())];
      const id = await fill(mine);
      const other = await fill(theirs);
      const exported = await rows(db().scope(mine).exportRows());
      expect(exported.find(({ table }) => table === "incident_file")?.row).toMatchObject({
        incident_id: id,
        name: "a.js",
        content: "secret source",
      });
      const text = JSON.stringify(exported);
      expect([text.includes(other), text.includes(`hash-${mine}`), text.includes("envelope")]).toEqual([
        ...[false, false, false],
      ]);
      for (const table of ["incident", "api_key", "agent", "failure", "instructions", "audit_entry"]) {
        expect(exported.map((row) => row.table)).toContain(table);
      }
    });

    it("hands out and removes an account, and keeps an organization from losing its last owner", async () => {
      const organizationId = await organization(db());
      const [ada, bob] = [await user(db()), await user(db())];
      await db().organizations.addMember({ organizationId, userId: ada, role: "owner", now });
      await db().organizations.addMember({ organizationId, userId: bob, role: "member", now });
      await db()
        .scope(organizationId)
        .audit.record({ action: "settings.changed", target: "retention", by: { id: ada, name: "Ada" }, now });
      await db()
        .scope(organizationId)
        .audit.record({
          action: "member.invited",
          target: `${bob}@example.com (member)`,
          by: { id: ada, name: "Ada" },
          now,
        });
      const exported = await rows(db().accounts.exportRows(ada));
      expect(exported.map(({ table }) => table)).toEqual(["user", "member", "audit_entry", "audit_entry"]);
      expect(JSON.stringify(exported)).not.toContain(bob);
      expect(await db().accounts.remove(ada)).toEqual({ outcome: "last-owner", organizations: ["Acme"] });
      const carol = await user(db());
      await db().organizations.addMember({ organizationId, userId: carol, role: "owner", now });
      const outcomes = await Promise.all([ada, carol].map((id) => db().accounts.remove(id)));
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["last-owner", "removed"]);
      expect(await db().accounts.remove(bob)).toEqual({ outcome: "removed" });
      expect(await db().organizations.ofUser(bob)).toEqual([]);
      expect(JSON.stringify(await rows(db().exportRows()))).not.toContain(bob);
      const [entry] = await db().scope(organizationId).audit.list({ limit: 1 });
      expect(["Ada", "a removed account"]).toContain(entry?.actor.name);
    });

    it("leaves the name of a removed account nowhere that says who did something", async () => {
      const scopeId = await organization(db());
      await fill(scopeId);
      await db().scope(scopeId).model.refuse(by, now);
      expect(await db().accounts.remove(by.id)).toEqual({ outcome: "removed" });
      const ofPerson = (await rows(db().exportRows())).filter(({ row }) =>
        [row.user_id, row.responsible_id].includes(by.id),
      );
      const tables = new Set(ofPerson.map(({ table }) => table));
      expect([...tables]).toEqual(
        expect.arrayContaining(["agent", "alert_source", "model_refusal", "model_settings", "monitor"]),
      );
      const names = ofPerson.map(({ row }) => row.user_name ?? row.responsible_name);
      expect([...new Set(names)]).toEqual(["a removed account"]);
    });

    it("knows every table that names people beside their id", async () => {
      const tables = await db().identity.db.introspection.getTables();
      const naming = tables.filter(({ columns }) => columns.some((column) => column.name === "user_name"));
      expect(naming.map((table) => table.name).toSorted()).toEqual([...tablesNamingPeople]);
    });
  });
}
