import { randomUUID } from "node:crypto";
import { keyScopes } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb } from "../../../src/index.ts";
import { agent, member, now, organization } from "./samples.ts";

const nothingChosen = {
  retentionDays: null,
  eventsPerDay: null,
  inputBytesMax: null,
  plainUsers: false,
  passwordsOff: false,
};

/** What every control database does about keys. */
export function describeKeys(name: string, db: () => ControlDb): void {
  describe(`${name}: keys`, () => {
    it("finds whose a key is, until it is revoked", async () => {
      const organizationId = await organization(db());
      const hash = randomUUID();
      expect(await db().keys.find(hash, now)).toEqual({ outcome: "unknown" });
      const { id } = await db().keys.add({ organizationId, name: "ci", hash, prefix: "whk_abc", scope: "full", now });
      expect(await db().keys.find(hash, now)).toEqual({
        outcome: "valid",
        principal: {
          kind: "organization",
          keyId: id,
          name: "ci",
          scopes: ["full"],
          project: null,
          organizationId,
          scopeId: organizationId,
          settings: nothingChosen,
        },
        expiresAt: null,
        isUseUnnoted: true,
      });
      expect(await db().keys.revoke(await organization(db()), id, now)).toBe(false);
      expect(await db().keys.revoke(organizationId, id, now)).toBe(true);
      expect(await db().keys.revoke(organizationId, id, now)).toBe(false);
      expect(await db().keys.find(hash, now)).toEqual({ outcome: "revoked" });
    });

    it.each(keyScopes)("keeps that a key has the scope %s, and an agent's key those of every agent", async (scope) => {
      const organizationId = await organization(db());
      const [hash, { key, token }] = [randomUUID(), await agent(db())];
      await db().agents.claim(token, await member(db(), organizationId), now);
      await db().keys.add({ organizationId, name: "ci", hash, prefix: "whk_abc", scope, now });
      expect(await db().keys.find(hash, now)).toMatchObject({ principal: { scopes: [scope] } });
      expect(await db().keys.find(key, now)).toMatchObject({ principal: { scopes: ["analyze", "read"] } });
      const listed = (await db().keys.list(organizationId)).map(({ scopes }) => scopes);
      expect(listed).toEqual([["analyze", "read"], [scope]]);
    });

    it("keeps the project of a key for Sentry's clients", async () => {
      const [organizationId, hash] = [await organization(db()), randomUUID()];
      const project = { id: "4711", service: "orders", env: "PROD", origins: ["https://shop.example"] };
      await db().keys.add({ organizationId, name: "dsn", hash, prefix: "whk_abc", scope: "sentry", project, now });
      expect(await db().keys.find(hash, now)).toMatchObject({ principal: { scopes: ["sentry"], project } });
      expect(await db().keys.list(organizationId)).toMatchObject([{ scopes: ["sentry"], project }]);
    });

    it("opens nothing with a key of an organization that is gone", async () => {
      const organizationId = await organization(db());
      const hash = randomUUID();
      await db().keys.add({ organizationId, name: "ci", hash, prefix: "whk_abc", scope: "full", now });
      const { key, token } = await agent(db());
      await db().agents.claim(token, await member(db(), organizationId), now);
      await db()
        .identity.db.withTables<{ organization: { id: string } }>()
        .deleteFrom("organization")
        .where("id", "=", organizationId)
        .execute();
      expect(await db().keys.find(hash, now)).toEqual({ outcome: "unknown" });
      expect(await db().keys.find(key, now)).toEqual({ outcome: "unknown" });
    });

    it("tells what its organization chose with the key, since the moment it did", async () => {
      const organizationId = await organization(db());
      const hash = randomUUID();
      await db().keys.add({ organizationId, name: "ci", hash, prefix: "whk_abc", scope: "full", now });
      await db().organizations.configure(organizationId, {
        retentionDays: 7,
        eventsPerDay: 5_000_000_000,
        inputBytesMax: null,
        plainUsers: false,
        passwordsOff: false,
      });
      expect(await db().keys.find(hash, now)).toMatchObject({
        principal: {
          settings: {
            retentionDays: 7,
            eventsPerDay: 5_000_000_000,
            inputBytesMax: null,
            plainUsers: false,
            passwordsOff: false,
          },
        },
      });
    });

    it("stores a key once, changes nothing the second time, and refuses another organization's", async () => {
      const organizationId = await organization(db());
      const hash = randomUUID();
      const first = await db().keys.add({ organizationId, name: "first", hash, prefix: "whk_abc", scope: "full", now });
      expect(
        await db().keys.add({ organizationId, name: "second", hash, prefix: "whk_xyz", scope: "full", now }),
      ).toEqual(first);
      expect(await db().keys.list(organizationId)).toEqual([
        {
          id: first.id,
          name: "first",
          prefix: "whk_abc",
          project: null,
          scopes: ["full"],
          agentId: null,
          createdAt: now.toISOString(),
          revokedAt: null,
          lastUsedAt: null,
        },
      ]);
      const foreign = {
        organizationId: await organization(db()),
        name: "theirs",
        hash,
        prefix: "whk_abc",
        now,
      };
      await expect(db().keys.add({ ...foreign, scope: "full" })).rejects.toMatchObject({
        code: "WHENCE_ERR_KEY_OF_ANOTHER_ORGANIZATION",
      });
    });
  });
}
