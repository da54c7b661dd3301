import { keyScopes, limits } from "@whence/protocol";
import { type KeyDirectory, type Storage, telemetryTopic } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBatchMessage } from "../../src/telemetry/batch-message.ts";
import { batchOf, logEvent } from "../batches.ts";
import { hashOf } from "../hash-of.ts";
import { buildApp, newKey, openTestStorage, organizationWithKey, path, send } from "../test-gateway.ts";

let storage: Storage;
let app: FastifyInstance;
/** The number of lookups that reached the directory. */
let lookUps = 0;
const clock = { now: Date.parse("2026-03-01T12:00:00.000Z") };

beforeAll(async () => {
  storage = await openTestStorage();
  const { queue, control } = storage;
  const keys: KeyDirectory = {
    ...control.keys,
    find(hash, now) {
      lookUps += 1;
      return control.keys.find(hash, now);
    },
  };
  app = await buildApp({ queue, keys, usage: control.usage, secrets: control, clock: () => clock.now });
});
afterAll(async () => {
  await app.close();
  await storage.close();
});

const batch = () => batchOf([logEvent()]);

async function agentWithKey(): Promise<{ key: string; claim: (organizationId: string) => Promise<unknown> }> {
  const { agents } = storage.control;
  const key = newKey("wha_");
  const claimTokenHash = hashOf(newKey("whc_"));
  const now = new Date(clock.now);
  const expiresAt = new Date(clock.now + limits.unclaimedAgentLifetimeMs);
  await agents.register({ source: "test", registeredFrom: null, keyHash: hashOf(key), claimTokenHash, now, expiresAt });
  return {
    key,
    claim: (organizationId) =>
      agents.claim(claimTokenHash, { organizationId, userId: "no-user", name: "" }, new Date(clock.now)),
  };
}

describe("X-API-Key", () => {
  it("is required: without it the answer is the 422 of the specification", async () => {
    const headers = { "content-type": "application/json" };
    const answer = await app.inject({ method: "POST", url: path, headers, payload: JSON.stringify(batch()) });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toEqual({
      detail: [{ loc: ["header", "X-API-Key"], msg: "Field required", type: "missing" }],
    });
  });

  it.each([
    ["that is unknown", newKey()],
    ["that is empty", ""],
    ["of 10,000 characters", "x".repeat(10_000)],
  ])("%s gets 401", async (_name, key) => {
    const answer = await send(app, key, batch());
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({ detail: expect.any(String), code: "WHENCE_ERR_TELEMETRY_KEY_UNKNOWN" });
    if (key !== "") expect(answer.body).not.toContain(key);
  });

  // requirement: auth.organization-from-key
  it("determines the organization, whatever the body says", async () => {
    const mine = await organizationWithKey(storage, "mine");
    const other = await organizationWithKey(storage, "other");
    const claimed = { ...batch(), scope_id: other.id, organization_id: other.id };
    expect((await send(app, mine.key, claimed)).statusCode).toBe(202);
    const [delivery] = await storage.queue.receive(telemetryTopic, { max: 1, waitMs: 1_000 });
    expect(readBatchMessage(delivery?.body ?? "")).toMatchObject({ scope_id: mine.id });
    await delivery?.ack();
  });

  it("of an agent gets 403, claimed or not, since telemetry belongs to an organization", async () => {
    const { id } = await organizationWithKey(storage, "claimer");
    const agent = await agentWithKey();
    const unclaimed = await send(app, agent.key, batch());
    await agent.claim(id);
    clock.now += 10_000;
    const claimed = await send(app, agent.key, batch());
    for (const answer of [unclaimed, claimed]) {
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toEqual({ detail: expect.any(String), code: "WHENCE_ERR_TELEMETRY_AGENT_KEY" });
    }
  });

  it.each(keyScopes)("with the scope %s can send telemetry only when that is send or full", async (scope) => {
    const { key } = await organizationWithKey(storage, `scope-${scope}`, new Date(clock.now), scope);
    const answer = await send(app, key, batch());
    if (scope === "send" || scope === "full") return expect(answer.statusCode).toBe(202);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual({
      detail: expect.stringContaining(`the scope send or full, and this one has ${scope}`),
      code: "WHENCE_ERR_TELEMETRY_KEY_SCOPE",
    });
  });

  // requirement: auth.revoked-key-refused
  it("of an expired agent is rejected from the moment it expires", async () => {
    const { key } = await agentWithKey();
    const expiresAt = clock.now + limits.unclaimedAgentLifetimeMs;
    clock.now = expiresAt - 1;
    expect((await send(app, key, batch())).statusCode).toBe(403);
    clock.now = expiresAt;
    const answer = await send(app, key, batch());
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: "WHENCE_ERR_TELEMETRY_KEY_EXPIRED" });
  });
});

describe("a lookup", () => {
  it("is cached for less than 10 seconds, so that a revocation takes effect by then", async () => {
    const { id, key, keyId } = await organizationWithKey(storage, "revoker");
    expect((await send(app, key, batch())).statusCode).toBe(202);
    await storage.control.keys.revoke(id, keyId, new Date(clock.now));
    clock.now += 9_999;
    expect((await send(app, key, batch())).statusCode).toBe(202);
    clock.now += 1;
    const answer = await send(app, key, batch());
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: "WHENCE_ERR_TELEMETRY_KEY_REVOKED" });
  });

  it("of an unknown key is cached, too, and the key works within 10 seconds of its creation", async () => {
    const { id } = await organizationWithKey(storage, "late");
    const key = newKey();
    const before = lookUps;
    expect((await send(app, key, batch())).statusCode).toBe(401);
    await storage.control.keys.add({
      organizationId: id,
      name: "k",
      hash: hashOf(key),
      prefix: "whk_",
      scope: "send",
      now: new Date(),
    });
    expect((await send(app, key, batch())).statusCode).toBe(401);
    expect(lookUps - before).toBe(1);
    clock.now += 10_000;
    expect((await send(app, key, batch())).statusCode).toBe(202);
  });

  it("is shared by concurrent requests", async () => {
    const { key } = await organizationWithKey(storage, "crowd");
    const before = lookUps;
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(app, key, batch())));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([202]));
    expect(lookUps - before).toBe(1);
  });
});

describe("a directory that doesn't answer", () => {
  it("delays no request: a known key keeps working, another gets 503", async () => {
    const { queue, control } = storage;
    let isHanging = false;
    const keys: KeyDirectory = {
      ...control.keys,
      find: (hash, now) => (isHanging ? new Promise(() => undefined) : control.keys.find(hash, now)),
    };
    const other = await buildApp({ queue, keys, usage: control.usage, secrets: control, clock: () => clock.now });
    const known = await organizationWithKey(storage, "hanging-known");
    const unseen = await organizationWithKey(storage, "hanging-unseen");
    expect((await send(other, known.key, batch())).statusCode).toBe(202);
    isHanging = true;
    clock.now += 10_000;
    const answers = await Promise.all([known, unseen].map(({ key }) => send(other, key, batch())));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 503]);
    isHanging = false;
    clock.now += 1_000;
    await control.keys.revoke(known.id, known.keyId, new Date(clock.now));
    expect((await send(other, known.key, batch())).statusCode).toBe(401);
    expect((await send(other, unseen.key, batch())).statusCode).toBe(202);
    await other.close();
  });
});
