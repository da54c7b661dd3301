import { limits } from "@whence/protocol";
import { investigationsTopic, type NewMessage, type Queue } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { askedText } from "../../src/analysis/analysis-body.ts";
import { incidentFromText } from "../../src/analysis/from-text.ts";
import {
  type OutboxRelay,
  outboxLookIntervalMs,
  startOutboxRelay,
  waitingMax,
} from "../../src/investigations/outbox-relay.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

const open = (): Promise<string> => openAs(acme.id);

async function openAs(scopeId: string): Promise<string> {
  const asked = incidentFromText(await askedText("E", []), null, new Date(service.clock.now));
  return (await service.control.scope(scopeId).incidents.open(asked)).id;
}

async function registerAgent(name: string): Promise<string> {
  const now = new Date(service.clock.now);
  const hashes = { keyHash: `key of ${name}`, claimTokenHash: `token of ${name}` };
  const expiresAt = new Date(now.getTime() + limits.unclaimedAgentLifetimeMs);
  return (
    await service.control.agents.register({ source: name, ...hashes, registeredFrom: "127.0.0.1", now, expiresAt })
  ).id;
}

async function receivedIds(): Promise<string[]> {
  const deliveries = await service.queue.receive(investigationsTopic, { max: 1_000, waitMs: 2_000 });
  await Promise.all(deliveries.map((delivery) => delivery.ack()));
  return deliveries.map(({ id }) => id);
}

/** Messages of a newer version, with ids that come first. */
async function leaveForNewerVersion(count: number): Promise<string[]> {
  const outbox = service.control.identity.db.withTables<{
    outbox: { id: string; topic: string; body: string; scope_id: string };
  }>();
  const rows = Array.from({ length: count }, (_, index) => ({
    ...{ id: `0-${index}`, topic: "of-tomorrow", body: "{}", scope_id: acme.id },
  }));
  await outbox.insertInto("outbox").values(rows).execute();
  return rows.map(({ id }) => id).sort();
}

/** Options without a limit per organization. */
function startRelay(queue: Queue = service.queue, perOrganization = Number.POSITIVE_INFINITY): OutboxRelay {
  return startOutboxRelay({ control: service.control, queue, clock: Date.now, logger: silent, perOrganization });
}

async function relayOnce(queue: Queue = service.queue): Promise<void> {
  await startRelay(queue).stop();
}

describe("the outbox relay", () => {
  it("publishes what an earlier process left when it starts, once, and empties the outbox", async () => {
    const ids = [await open(), await open()];
    await relayOnce();
    expect((await receivedIds()).sort()).toEqual([...ids].sort());
    expect(await service.control.outbox.pending(10)).toEqual([]);
  });

  it("publishes on a kick what will be handled soon, and the rest when there is room", async () => {
    const relay = startRelay();
    const ids: string[] = [];
    for (let count = 0; count < 3 * waitingMax; count++) ids.push(await open());
    const received: string[] = [];
    while (received.length < ids.length) {
      relay.kick();
      await expect.poll(async () => (await service.queue.depth(investigationsTopic)).pending).toBe(waitingMax);
      received.push(...(await receivedIds()));
    }
    await relay.stop();
    expect(received).toEqual(ids);
    expect(await service.control.outbox.pending(10)).toEqual([]);
  });

  it("publishes the most urgent first, of each scope in turn", async () => {
    const other = await makeOrganization(service, "other");
    const openAs = async (scope: string, priority: number) => {
      const incident = { ...incidentFromText(await askedText("E", []), null, new Date(service.clock.now)), priority };
      return (await service.control.scope(scope).incidents.open(incident)).id;
    };
    const storm: string[] = [];
    for (let priority = 0; priority < 20; priority++) storm.push(await openAs(acme.id, priority));
    const quiet = await openAs(other.id, 0);
    await relayOnce();
    const received = await receivedIds();
    expect(received.slice(0, 2).toSorted()).toEqual([quiet, storm[19]].toSorted());
    expect(received.slice(2)).toEqual(storm.toReversed().slice(1, waitingMax - 1));
    await service.control.outbox.remove(storm);
  });

  it("publishes again after a crash between publishing and removing, which the receiver gets once", async () => {
    const id = await open();
    const [left] = await service.control.outbox.pending(10);
    await service.queue.publish(investigationsTopic, [left as NewMessage]);
    await relayOnce();
    expect(await receivedIds()).toEqual([id]);
  });

  it("keeps a message in the outbox that the queue rejects", async () => {
    const id = await open();
    const refusing: Queue = {
      publish: () => Promise.reject(new Error("full")),
      receive: (topic, options) => service.queue.receive(topic, options),
      deadLetters: (topic, max) => service.queue.deadLetters(topic, max),
      depth: (topic) => service.queue.depth(topic),
      redrive: (topic, letters) => service.queue.redrive(topic, letters),
      discard: (topic, letters) => service.queue.discard(topic, letters),
      check: () => service.queue.check(),
      close: () => Promise.resolve(),
    };
    await relayOnce(refusing);
    expect((await service.control.outbox.pending(10)).map((message) => message.id)).toEqual([id]);
  });

  it("leaves what a newer version wants published where it is, even a whole page of it, and publishes the rest", async () => {
    await relayOnce();
    await receivedIds();
    const newer = await leaveForNewerVersion(150);
    const id = await open();
    await relayOnce();
    expect(await receivedIds()).toEqual([id]);
    expect((await service.control.outbox.pending(1_000)).map((message) => message.id)).toEqual(newer);
    await service.control.outbox.remove(newer);
  });

  it("publishes without a kick what another analyzer left behind when it died", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const relay = startRelay();
      await expect.poll(() => service.control.outbox.pending(10)).toEqual([]);
      await receivedIds();
      const id = await open();
      vi.advanceTimersByTime(outboxLookIntervalMs - 1);
      expect((await service.control.outbox.pending(10)).map((message) => message.id)).toEqual([id]);
      vi.advanceTimersByTime(1);
      await expect.poll(() => service.control.outbox.pending(10)).toEqual([]);
      await relay.stop();
      expect(await receivedIds()).toEqual([id]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("publishes each message once next to another relay", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5 * waitingMax; count++) ids.push(await open());
    const relays = [1, 2].map(() => startRelay());
    const received: string[] = [];
    while (received.length < ids.length) {
      received.push(...(await receivedIds()));
      for (const relay of relays) relay.kick();
    }
    await Promise.all(relays.map((relay) => relay.stop()));
    expect(received.toSorted()).toEqual(ids.toSorted());
  });

  describe("for an organization with more messages than may run at once", () => {
    it("publishes as many as allowed, and the next one when one is done", async () => {
      const ids = [await open(), await open(), await open()];
      const relay = startRelay(service.queue, 2);
      expect(await receivedIds()).toEqual(ids.slice(0, 2));
      relay.done(ids[0] ?? "");
      await expect.poll(receivedIds).toEqual(ids.slice(2));
      await relay.stop();
    });

    it("leaves room for another that comes later", async () => {
      const other = await makeOrganization(service, "late");
      await Promise.all(Array.from({ length: 1_000 }, open));
      const relay = startRelay(service.queue, 2);
      await expect.poll(async () => (await service.queue.depth(investigationsTopic)).pending).toBe(2);
      const id = await openAs(other.id);
      relay.kick();
      await relay.stop();
      const received = await receivedIds();
      expect(received).toHaveLength(3);
      expect(received).toContain(id);
      await service.control.outbox.remove((await service.control.outbox.pending(1_000)).map((message) => message.id));
    });
  });

  it("runs one investigation for all unclaimed agents, whatever organizations run", async () => {
    const agents = await Promise.all(["a", "b"].map(registerAgent));
    const theirs = await Promise.all(agents.map(openAs));
    const ours = await open();
    const relay = startRelay(service.queue, 2);
    const received = await receivedIds();
    expect(received).toHaveLength(2);
    expect(received).toContain(ours);
    const first = theirs.find((id) => received.includes(id)) ?? "";
    relay.done(first);
    await expect.poll(receivedIds).toEqual(theirs.filter((id) => id !== first));
    await relay.stop();
  });
});
