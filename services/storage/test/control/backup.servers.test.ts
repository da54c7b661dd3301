import { createHash, randomBytes } from "node:crypto";
import { monitorChangeSchema, notificationRuleChangeSchema } from "@whence/protocol";
import { betterAuth } from "better-auth";
import { organization, twoFactor } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { backedUpTables } from "../../src/control/backup/backed-up-tables.ts";
import type { BackupRow, ControlDb, Person } from "../../src/index.ts";
import { predicting } from "./contract/accuracy-samples.ts";
import { joins, opens } from "./contract/joining.ts";
import { aModel, modelRun } from "./contract/models.ts";
import { newIncident, now, occurrence, openOrJoin, report } from "./contract/samples.ts";
import { controlDatabases } from "./databases.ts";

const kinds = controlDatabases();
const [sqlite, postgres] = kinds;
const secretKeys = [randomBytes(32)];

/** Something in every table but the outbox, whose rows an import adds to. */
async function fill(db: ControlDb): Promise<string> {
  const auth = betterAuth({
    database: { db: db.identity.db, type: db.identity.type },
    secret: "a secret of thirty-two characters",
    baseURL: "http://127.0.0.1:4000",
    emailAndPassword: { enabled: true },
    plugins: [organization(), twoFactor()],
  });
  const { user } = await auth.api.signUpEmail({
    body: { email: "ada@example.com", password: "correct horse", name: "Ada" },
  });
  const made = await auth.api.createOrganization({ body: { name: "Acme", slug: "acme", userId: user.id } });
  const context = await auth.$context;
  await context.internalAdapter.createVerificationValue({ identifier: "i", value: "v", expiresAt: now });
  const organizationId = made?.id ?? "";
  await context.adapter.create({
    model: "invitation",
    data: {
      organizationId,
      email: "bob@example.com",
      role: "member",
      status: "pending",
      expiresAt: now,
      createdAt: now,
      inviterId: user.id,
    },
  });
  await context.adapter.create({ model: "twoFactor", data: { secret: "s", backupCodes: "c", userId: user.id } });
  await db.organizations.configure(organizationId, {
    retentionDays: 7,
    eventsPerDay: 6_000_000_000,
    inputBytesMax: null,
    plainUsers: false,
    passwordsOff: false,
  });
  await db.usage.add(organizationId, "2026-03-01", 5_000_000_000);
  const other = await db.organizations.ensure({ slug: "other", name: "Other", now });
  const owner = { organizationId: other.id, name: "Grace", email: "grace@example.com", passwordHash: "x:y", now };
  await db.organizations.setUp(owner);
  await db.agents.register({
    source: "an agent",
    registeredFrom: null,
    keyHash: "k",
    claimTokenHash: "t",
    now,
    expiresAt: now,
  });
  await db.passwordAttempts.take({ aim: "somebody", now, forgetAfterMs: 1, delayMs: () => 0 });
  const {
    incidents,
    failures,
    secrets,
    feedback,
    lifecycle,
    model,
    ownership,
    ownershipRules,
    placeWatches,
    shares,
    views,
  } = db.scope(organizationId);
  const files = [
    { name: "b.js", content: "nul \u0000, marker \uFDD0, ünï€ 🜁" },
    { name: "a.js", content: "" },
  ];
  const { id } = await incidents.open(newIncident({ input: { kind: "text", errorLog: "boom", files } }));
  const attempt = (await incidents.begin(id, now)) ?? 0;
  await incidents.addStep(id, attempt, { seq: 1, at: now.toISOString(), step: "parse", detail: "read" });
  await incidents.complete(id, attempt, predicting, now);
  await feedback.give(id, { kind: "member", id: user.id }, { verdict: "partly", reason: "ü" }, now);
  await lifecycle.change(id, { action: "ignore" }, { kind: "member", id: user.id, name: "Ada" }, now);
  await ownership.change(id, { action: "take" }, { kind: "member", id: user.id, name: "Ada" }, now);
  await ownershipRules.replace([{ match: "service", pattern: "cart", owner: user.id }]);
  await views.add(user.id, { name: "Mine", filter: { state: "open" }, shared: true }, 1);
  await shares.add({
    ...{ incidentId: id, tokenHash: "h", expiresAt: now, now, perIncidentMax: 1, perScopeMax: 1 },
    by: { kind: "member", id: user.id, name: "Ada" },
  });
  await placeWatches.add({
    ...{ incidentId: id, service: "cart", env: "PROD", release: "1", places: [], key: "k", sign: () => "o" },
    ...{ expiresAt: now, now, by: { kind: "member", id: user.id, name: "Ada" } },
  });
  await model.write(aModel, { id: user.id, name: "Ada" }, now);
  await model.refuse({ id: user.id, name: "Ada" }, now);
  await model.record(modelRun(id));
  await failures.decide(occurrence("v1:known"), openOrJoin);
  await failures.decide(occurrence("v1:root"), () => opens("v1:root"));
  const seen = await failures.openIncidents({ env: "PROD", since: now });
  const root = seen.incidents.find(({ fingerprint }) => fingerprint === "v1:root");
  await failures.decideAsSeen(seen, occurrence("v1:follows"), () => joins(root?.id ?? "", "v1:root"));
  await secrets.put("slack", "xoxb", now);
  await settle(db, organizationId, { id: user.id, name: user.name });
  return organizationId;
}

/** What owners settle, and what the service keeps about itself. */
async function settle(db: ControlDb, organizationId: string, by: Person): Promise<void> {
  const { audit, instructions, integrations, exitedProcesses, sources, thresholds, ...scope } =
    db.scope(organizationId);
  const announcing = { kind: "grafana", name: "Grafana", inputs: {}, secrets: { secret: "s" } } as const;
  const { id: sourceId } = await scope.alertSources.add({ ...announcing, by, now });
  const alert = {
    sourceId,
    key: "k",
    title: "orders is down",
    url: null,
    firedAt: now.toISOString(),
    now,
    forgottenAfterMs: 1_000,
    allowance: { max: 10, spanMs: 1_000 },
  };
  await scope.alerts.open(alert, newIncident());
  const asked = { thread: "t", requestId: "r", how: "mentioned", question: "", author: "Ada", place: {} } as const;
  await scope.conversations.ask(sourceId, { ...asked, at: now.toISOString() }, now);
  const live = { service: "orders", release: "1.0.0", env: "PROD", commit: "1a2b3c4", url: null };
  await scope.releases.report({ ...live, reportedBy: "key_ci" }, now, 10);
  await scope.releaseCommits.announce("1.0.0", ["orders"], now, 10);
  await scope.deployments.watch({ ...live, sourceId, key: "dpl_1", liveAt: now.toISOString() }, now, 10);
  const monitored = await scope.monitors.add({
    change: monitorChangeSchema.parse({
      ...{ name: "Shop", service: "orders" },
      check: { kind: "uptime", url: "https://shop.example.com/" },
    }),
    progress: {
      ...{ failedChecks: 0, failingSince: null, alert: null, recoveredAt: null, incidentId: null },
      ...{ lastResult: null, expectedAt: null, runningSince: null, runId: null },
    },
    ...{ keyHash: null, nextCheckAt: now.toISOString(), by: { id: "usr_ada", name: "Ada" }, now },
  });
  const result = {
    at: now.toISOString(),
    outcome: "passed",
    reason: "answered 200",
    duration_ms: 5,
    value: 0.5,
  } as const;
  await scope.monitors.write(monitored, { ...monitored, result });
  const lacking = { service: "orders", release: "1.1.0", incidentId: "inc_1", paths: ["/app/a.js"] };
  await scope.sentSources.want({ ...lacking, now });
  const chunk = { sha1: createHash("sha1").update("part").digest("hex"), data: Buffer.from("part") };
  await scope.artifacts.addChunk(chunk, 1e9, now);
  await scope.artifacts.putFiles("orders", [{ debugId: "d", release: "1.0.0", path: "a.js" }]);
  await sources.addContents(["export {};\n"], 1e9, now);
  const files = [{ path: "a.js", sha256: createHash("sha256").update("export {};\n").digest("hex") }];
  await sources.put(
    { service: "orders", release: "1.0.0", commit: null, files, keyId: "key_ci", now },
    { releasesPerServiceMax: 10, bytesMax: 1e9 },
  );
  await thresholds.replace({ ...(await thresholds.read()), muted_services: ["batch"] });
  await instructions.write({ text: "ünï", version: 0, by, now });
  await integrations.named("eu").connect({
    kind: "uptime",
    vendor: "Better Stack",
    belongsTo: "Uptime",
    inputs: {},
    credentials: { api_token: "t" },
    by,
    now,
  });
  await db.erasures.request({ scopeId: organizationId, service: "orders", now });
  await audit.record({ action: "integration.connected", target: "Uptime", by, now });
  await exitedProcesses.note(["instance-1"], now);
  await notify(db, organizationId, by);
  const waiting = { id: "inv_1", scopeId: organizationId, body: "{}" };
  await db.turns.begin([waiting], { publisher: "p", now, since: now });
  await db.pulses.beat({ id: "gateway", takingSince: now, now, forgetBefore: now });
}

/** A rule whose hour has room for one message, and what there was to tell beyond it. */
async function notify(db: ControlDb, organizationId: string, by: Person): Promise<void> {
  const { notifications, incidents } = db.scope(organizationId);
  const change = notificationRuleChangeSchema.parse({
    name: "Nights",
    events: ["opened"],
    emails: ["ada@example.com"],
    per_hour: 1,
  });
  const rule = await notifications.create({ change, secrets: { webhook: "whsec_x" }, by, now });
  for (let count = 0; count < 3; count += 1) await incidents.open(newIncident());
  const matched = [{ ruleId: rule?.id ?? "", type: "opened", severity: "low", without: [] }] as const;
  for (const occasion of await db.notifications.occasions(now, 2)) await db.notifications.plan(occasion, matched, now);
}

async function rowsOf(db: ControlDb): Promise<readonly BackupRow[]> {
  const rows: BackupRow[] = [];
  for await (const row of db.exportRows()) rows.push(row);
  return rows;
}

function withoutOutbox(rows: readonly BackupRow[]): readonly BackupRow[] {
  return rows.filter(({ table }) => table !== "outbox");
}

describe("a backup", () => {
  it.each([
    [sqlite, postgres],
    [postgres, sqlite],
    [sqlite, sqlite],
    [postgres, postgres],
  ])("of $name is the same after it is restored into another database and read there", async (from, to) => {
    const source = await (await from.create())(secretKeys);
    const organizationId = await fill(source);
    const rows = await rowsOf(source);
    expect(new Set(rows.map(({ table }) => table))).toEqual(
      new Set(["migration", ...backedUpTables.map(({ name }) => name)]),
    );
    const target = await (await to.create())(secretKeys);
    await target.importRows(rows);
    expect(withoutOutbox(await rowsOf(target))).toEqual(withoutOutbox(rows));
    expect(await target.scope(organizationId).secrets.get("slack")).toBe("xoxb");
    expect(await target.verifyAuditLog([])).toMatchObject({
      organizations: [{ organizationId, entries: 5, fault: null }],
    });
    const auth = betterAuth({
      database: { db: target.identity.db, type: target.identity.type },
      secret: "a secret of thirty-two characters",
      baseURL: "http://127.0.0.1:4000",
      emailAndPassword: { enabled: true },
    });
    const { user } = await auth.api.signInEmail({ body: { email: "ada@example.com", password: "correct horse" } });
    expect(user).toMatchObject({ emailVerified: false, createdAt: expect.any(Date) });
  });
});

describe.each(kinds)("a backup of $name", ({ create }) => {
  it("contains every table", async () => {
    const db = await (await create())();
    const tables = await db.identity.db.introspection.getTables();
    expect(tables.map(({ name }) => name).sort()).toEqual(backedUpTables.map(({ name }) => name).sort());
  });

  it("contains the database as of its start, and lets others write while it is read", async () => {
    const db = await (await create())();
    await db.organizations.ensure({ slug: "before", name: "Before", now });
    const slugs: unknown[] = [];
    for await (const { table, row } of db.exportRows()) {
      if (table === "migration") await db.organizations.ensure({ slug: "meanwhile", name: "Meanwhile", now });
      if (table === "organization") slugs.push(row.slug);
    }
    expect(slugs).toEqual(["before"]);
  });

  it("contains each row once, also beyond one page", async () => {
    const db = await (await create())();
    const incidents = db.scope("org_1").incidents;
    const files = Array.from({ length: 20 }, (_, index) => ({ name: `${index}.js`, content: "" }));
    for (let index = 0; index < 15; index += 1) {
      await incidents.open(newIncident({ input: { kind: "text", errorLog: "", files } }));
    }
    const rows = (await rowsOf(db)).filter(({ table }) => table === "incident_file");
    expect(rows.length).toBe(300);
    expect(new Set(rows.map(({ row }) => `${row.incident_id} ${row.position}`)).size).toBe(300);
  });

  it("queues again each investigation that hadn't ended, under an ID that no queue has seen", async () => {
    const source = await (await create())();
    const { incidents } = source.scope("org_1");
    const [queued, begun, ended] = [
      await incidents.open(newIncident()),
      await incidents.open(newIncident()),
      await incidents.open(newIncident()),
    ];
    await incidents.begin(begun.id, now);
    await incidents.begin(ended.id, now);
    await incidents.complete(ended.id, 1, report, now);
    await source.outbox.remove([queued.id, begun.id, ended.id]);
    const target = await (await create())();
    await target.importRows(source.exportRows());
    const messages = await target.outbox.pending(10);
    expect(messages.map(({ topic, body }) => [topic, JSON.parse(body)])).toEqual(
      [queued, begun].map(({ id }) => ["investigations", { incident_id: id, scope_id: "org_1" }]),
    );
    expect(messages.map(({ id }) => id)).not.toContain(queued.id);
    const urgent = await target.outbox.urgent(10, "investigations");
    expect(urgent.map(({ scopeId }) => scopeId)).toEqual(["org_1", "org_1"]);
    expect(await target.scope("org_1").incidents.begin(begun.id, now)).toBe(2);
  });

  it("isn't restored into a database that holds anything or is of an older release, and writes nothing there", async () => {
    const source = await (await create())();
    await source.organizations.ensure({ slug: "acme", name: "Acme", now });
    const rows = await rowsOf(source);
    await expect(source.importRows(rows)).rejects.toMatchObject({
      code: "WHENCE_ERR_CONTROL_NOT_EMPTY",
      message: expect.stringContaining("organization"),
    });
    const target = await (await create())();
    const refused: [string, readonly BackupRow[]][] = [
      ["newer release, which has 9999-later", [{ table: "migration", row: { name: "9999-later" } }, ...rows]],
      ["does not begin with", rows.filter(({ table }) => table !== "migration")],
      ["is empty", []],
      ["a table kysely_migration", [...rows, { table: "kysely_migration", row: { name: "x" } }]],
      ["rows of organization do not fit", [...rows, { table: "organization", row: { id: "org_2", unknown: 1 } }]],
      ["rows of member do not fit", [...rows, { table: "member", row: { id: "m", organizationId: "unknown" } }]],
    ];
    for (const [reason, backup] of refused) {
      await expect(target.importRows(backup)).rejects.toMatchObject({
        code: "WHENCE_ERR_BACKUP_UNREADABLE",
        message: expect.stringContaining(reason),
      });
    }
    await target.importRows(rows);
    expect(await rowsOf(target)).toEqual(rows);
  });

  it("may be read only in part", async () => {
    const db = await (await create())();
    for await (const { row } of db.exportRows()) {
      expect(row).toEqual({ name: "0001-tables" });
      break;
    }
    expect(await db.organizations.ensure({ slug: "acme", name: "Acme", now })).toMatchObject({ created: true });
  });
});
