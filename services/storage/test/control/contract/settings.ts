import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ControlDb } from "../../../src/index.ts";
import { after, agent, member, now, organization } from "./samples.ts";

const ada = { id: "usr_ada", name: "Ada" };
const secretKey = "AKIA-very-secret";

/** What every control database does about what an organization's owners settle. */
export function describeSettings(name: string, db: () => ControlDb): void {
  describe(`${name}: custom instructions`, () => {
    it("are empty before the first version, and keep every version after it", async () => {
      const { instructions } = db().scope(await organization(db()));
      expect(await instructions.read()).toEqual({ version: 0, text: "", changed_at: null, changed_by: null });
      const first = await instructions.write({ text: "We deploy on Tuesdays.", version: 0, by: ada, now });
      expect(first).toEqual({
        version: 1,
        text: "We deploy on Tuesdays.",
        changed_at: now.toISOString(),
        changed_by: ada,
      });
      const second = await instructions.write({ text: "", version: 1, by: ada, now: after(1) });
      expect(await instructions.read()).toEqual(second);
      expect(await instructions.history()).toEqual([second, first]);
    });

    it("reject a change to an outdated version, also when two arrive at once", async () => {
      const { instructions } = db().scope(await organization(db()));
      const write = (text: string) => instructions.write({ text, version: 0, by: ada, now });
      const written = await Promise.all([write("a"), write("b")]);
      expect(written.filter((version) => version === null)).toHaveLength(1);
      expect(await write("c")).toBeNull();
      expect(await instructions.history()).toHaveLength(1);
    });

    it.each([
      [100, 1],
      [101, 2],
    ])("keep the newest 100 versions: of %i the oldest is version %i", async (versions, oldest) => {
      const { instructions } = db().scope(await organization(db()));
      for (let version = 0; version < versions; version++) {
        await instructions.write({ text: String(version), version, by: ada, now });
      }
      const history = await instructions.history();
      expect(history.at(-1)?.version).toBe(oldest);
      expect(history[0]?.version).toBe(versions);
    });

    it("belong to their scope only", async () => {
      await db()
        .scope(await organization(db()))
        .instructions.write({ text: "mine", version: 0, by: ada, now });
      expect(
        await db()
          .scope(await organization(db()))
          .instructions.history(),
      ).toEqual([]);
    });
  });

  describe(`${name}: integrations`, () => {
    const connection = {
      ...({ kind: "cloud-monitoring", inputs: { access_key_id: "id", region: "eu-central-1" } } as const),
      vendor: "AWS",
      belongsTo: "account 1234",
      credentials: { secret_access_key: secretKey },
      by: ada,
      now,
    };

    // requirement: auth.integration-credentials-encrypted
    it("are listed without their credentials, which are stored encrypted", async () => {
      const scopeId = await organization(db());
      const { integrations } = db().scope(scopeId);
      const connected = await integrations.connect(connection);
      expect(await integrations.list()).toEqual([connected]);
      expect(connected).toEqual({
        kind: "cloud-monitoring",
        name: "",
        vendor: "AWS",
        belongs_to: "account 1234",
        inputs: connection.inputs,
        credentials: ["secret_access_key"],
        connected_at: now.toISOString(),
        connected_by: ada,
        answered_at: now.toISOString(),
        failed: null,
        findings: 0,
      });
      expect(await integrations.credentials("cloud-monitoring")).toEqual({
        access_key_id: "id",
        region: "eu-central-1",
        secret_access_key: secretKey,
      });
      const rows = [];
      for await (const row of db().exportRows()) rows.push(JSON.stringify(row));
      const own = rows.filter((row) => row.includes(scopeId));
      expect(own.some((row) => row.includes("integration.cloud-monitoring"))).toBe(true);
      expect(own.filter((row) => row.includes(secretKey))).toEqual([]);
    });

    it("keep how the vendor answered last, and what it gave in all", async () => {
      const { integrations } = db().scope(await organization(db()));
      await integrations.connect(connection);
      const note = (failure: string | null, findings: number, at: Date) =>
        integrations.noteOutcome("cloud-monitoring", { failure, findings, now: at });
      await note(null, 2, after(1));
      await note("AWS rejected the credentials", 0, after(2));
      await note(null, 3, after(3));
      await integrations.noteOutcome("uptime", { failure: null, findings: 1, now });
      expect(await integrations.list()).toMatchObject([
        {
          answered_at: after(3).toISOString(),
          findings: 5,
          failed: { at: after(2).toISOString(), reason: "AWS rejected the credentials" },
        },
      ]);
      await integrations.noteOutcome("cloud-monitoring", {
        failure: null,
        findings: 0,
        belongsTo: "account 5678",
        now: after(4),
      });
      expect(await integrations.list()).toMatchObject([{ belongs_to: "account 5678", findings: 5 }]);
      await integrations.connect(connection);
      expect(await integrations.list()).toMatchObject([
        { belongs_to: "account 1234", answered_at: now.toISOString(), failed: null, findings: 0 },
      ]);
    });

    it("are replaced when connected again, and removed with their credentials, once", async () => {
      const scope = db().scope(await organization(db()));
      await scope.integrations.connect(connection);
      await scope.integrations.connect({ ...connection, credentials: { secret_access_key: "other" }, now: after(1) });
      expect(await scope.integrations.list()).toHaveLength(1);
      expect(await scope.integrations.credentials("cloud-monitoring")).toMatchObject({ secret_access_key: "other" });
      expect(await scope.integrations.disconnect("cloud-monitoring")).toBe(true);
      expect(await scope.integrations.disconnect("cloud-monitoring")).toBe(false);
      expect(await scope.integrations.credentials("cloud-monitoring")).toBeNull();
      expect(await scope.secrets.get("integration.cloud-monitoring")).toBeNull();
    });

    it("let one caller at a time renew their credentials, until it is done or its time is up", async () => {
      const { integrations } = db().scope(await organization(db()));
      const lease = { now, until: after(10) };
      expect(await integrations.takeRenewal("cloud-monitoring", lease)).toBeNull();
      await integrations.connect(connection);
      const taken = await Promise.all([1, 2, 3].map(() => integrations.takeRenewal("cloud-monitoring", lease)));
      const [first, ...others] = taken.filter((renewal) => renewal !== null);
      expect(others).toEqual([]);
      expect(first?.credentials).toEqual({ secret_access_key: secretKey });
      expect(await first?.keep({ secret_access_key: "renewed" }, after(1))).toBe(true);
      expect(await integrations.credentials("cloud-monitoring")).toMatchObject({ secret_access_key: "renewed" });
      const second = await integrations.takeRenewal("cloud-monitoring", { now: after(1), until: after(3) });
      expect(await integrations.takeRenewal("cloud-monitoring", { now: after(2), until: after(4) })).toBeNull();
      const third = await integrations.takeRenewal("cloud-monitoring", { now: after(3), until: after(5) });
      expect(await second?.keep({ secret_access_key: "late" }, after(4))).toBe(false);
      await third?.release();
      expect(await integrations.credentials("cloud-monitoring")).toMatchObject({ secret_access_key: "renewed" });
    });

    it.each(["connected again", "disconnected"])("keep nothing that was renewed before they were %s", async (what) => {
      const { integrations, secrets } = db().scope(await organization(db()));
      await integrations.connect(connection);
      const renewal = await integrations.takeRenewal("cloud-monitoring", { now, until: after(10) });
      if (what === "disconnected") await integrations.disconnect("cloud-monitoring");
      else await integrations.connect({ ...connection, credentials: { secret_access_key: "new" } });
      expect(await renewal?.keep({ secret_access_key: "renewed" }, after(1))).toBe(false);
      const kept = what === "disconnected" ? null : JSON.stringify({ secret_access_key: "new" });
      expect(await secrets.get("integration.cloud-monitoring")).toBe(kept);
    });

    it("are found by one of their inputs, in whichever scopes have it", async () => {
      const [one, other, different] = await Promise.all([1, 2, 3].map(() => organization(db())));
      const access_key_id = crypto.randomUUID();
      for (const scopeId of [one, other]) {
        await db()
          .scope(scopeId ?? "")
          .integrations.connect({ ...connection, inputs: { access_key_id } });
      }
      await db()
        .scope(different ?? "")
        .integrations.connect(connection);
      const found = (kind: "cloud-monitoring" | "uptime", value: string) =>
        db().integrations.connectedWith(kind, { name: "access_key_id", value });
      expect(
        (await found("cloud-monitoring", access_key_id)).toSorted((a, b) => (a.scopeId < b.scopeId ? -1 : 1)),
      ).toEqual([one, other].toSorted().map((scopeId) => ({ scopeId, by: ada })));
      expect(await found("uptime", access_key_id)).toEqual([]);
      expect(await found("cloud-monitoring", "unknown")).toEqual([]);
    });

    it("of one kind are kept apart by their names", async () => {
      const { integrations, secrets } = db().scope(await organization(db()));
      const europe = integrations.named("europe");
      await integrations.connect(connection);
      await europe.connect({ ...connection, credentials: { secret_access_key: "other" } });
      expect((await integrations.list()).map(({ kind, name }) => [kind, name])).toEqual([
        ["cloud-monitoring", ""],
        ["cloud-monitoring", "europe"],
      ]);
      await europe.noteOutcome("cloud-monitoring", { failure: null, findings: 2, now });
      await europe.changeInputs("cloud-monitoring", { region: "eu-west-1" });
      const lease = { now, until: after(10) };
      expect(await europe.takeRenewal("cloud-monitoring", lease)).not.toBeNull();
      expect(await integrations.takeRenewal("cloud-monitoring", lease)).not.toBeNull();
      expect(await europe.list()).toMatchObject([
        { name: "", findings: 0, inputs: connection.inputs },
        { name: "europe", findings: 2, inputs: { region: "eu-west-1" } },
      ]);
      expect(await integrations.named("asia").disconnect("cloud-monitoring")).toBe(false);
      expect(await europe.disconnect("cloud-monitoring")).toBe(true);
      expect(await integrations.credentials("cloud-monitoring")).toMatchObject({ secret_access_key: secretKey });
      expect(await secrets.get("integration.cloud-monitoring.europe")).toBeNull();
    });

    it("change what is shown of them, and leave the credentials", async () => {
      const { integrations } = db().scope(await organization(db()));
      expect(await integrations.changeInputs("cloud-monitoring", {})).toBeNull();
      await integrations.connect(connection);
      expect(await integrations.changeInputs("cloud-monitoring", { region: "us-east-1" })).toMatchObject({
        inputs: { region: "us-east-1" },
      });
      expect(await integrations.credentials("cloud-monitoring")).toEqual({
        region: "us-east-1",
        secret_access_key: secretKey,
      });
    });

    it("belong to their scope only", async () => {
      await db()
        .scope(await organization(db()))
        .integrations.connect(connection);
      const other = db().scope(await organization(db())).integrations;
      expect(await other.list()).toEqual([]);
      expect(await other.credentials("cloud-monitoring")).toBeNull();
      expect(await other.disconnect("cloud-monitoring")).toBe(false);
    });
  });

  describe(`${name}: the audit log`, () => {
    it("tells who did what, newest first, page by page, and nothing of another scope", async () => {
      const { audit } = db().scope(await organization(db()));
      for (const target of ["one", "two", "three"]) {
        await audit.record({ action: "key.created", target, by: ada, now });
      }
      const first = await audit.list({ limit: 2 });
      expect(first.map(({ target }) => target)).toEqual(["three", "two"]);
      expect(first[0]).toMatchObject({ at: now.toISOString(), actor: ada, action: "key.created" });
      const rest = await audit.list({ limit: 2, before: first.at(-1)?.id });
      expect(rest.map(({ target }) => target)).toEqual(["one"]);
      expect(
        await db()
          .scope(await organization(db()))
          .audit.list({ limit: 10 }),
      ).toEqual([]);
    });

    it.each([
      [200, 200],
      [201, 200],
    ])("keeps 200 characters of what it was done to: of %i there are %i", async (length, kept) => {
      const { audit } = db().scope(await organization(db()));
      await audit.record({ action: "key.created", target: "x".repeat(length), by: ada, now });
      expect((await audit.list({ limit: 1 }))[0]?.target).toHaveLength(kept);
    });
  });

  describe(`${name}: an organization's agents`, () => {
    it("are listed once claimed, and revoked by their organization alone", async () => {
      const organizationId = await organization(db());
      const { id, key, token } = await agent(db());
      expect(await db().agents.list(organizationId)).toEqual([]);
      const claimer = await member(db(), organizationId);
      await db().agents.claim(token, claimer, after(1));
      const listed = {
        agent_id: id,
        source: "a coding agent",
        created_at: now.toISOString(),
        registered_from: "203.0.113.9",
        claimed_at: after(1).toISOString(),
        confirmed_at: null,
        responsible: { id: claimer.userId, name: claimer.name },
        needs_confirmation: false,
        revoked_at: null,
        last_used_at: null,
      };
      expect(await db().agents.list(organizationId)).toEqual([listed]);
      expect(await db().agents.revoke(await organization(db()), id, after(2))).toBe(false);
      expect(await db().agents.revoke(organizationId, id, after(2))).toBe(true);
      expect(await db().agents.revoke(organizationId, id, after(3))).toBe(false);
      expect(await db().keys.find(key, after(3))).toEqual({ outcome: "revoked" });
      expect(await db().agents.list(organizationId)).toEqual([{ ...listed, revoked_at: after(2).toISOString() }]);
    });
  });

  describe(`${name}: the last use of a key`, () => {
    it("is to be noted when it was not for five minutes", async () => {
      const [organizationId, hash] = [await organization(db()), randomUUID()];
      const { id } = await db().keys.add({ organizationId, name: "ci", hash, prefix: "whk_", scope: "full", now });
      const lastUse = async () => (await db().keys.list(organizationId))[0]?.lastUsedAt;
      expect(await lastUse()).toBeNull();
      expect(await db().keys.find(hash, now)).toMatchObject({ isUseUnnoted: true });
      await db().keys.touch(id, now);
      expect(await lastUse()).toBe(now.toISOString());
      expect(await db().keys.find(hash, after(299_999))).toMatchObject({ isUseUnnoted: false });
      expect(await db().keys.find(hash, after(300_000))).toMatchObject({ isUseUnnoted: true });
    });
  });
}
