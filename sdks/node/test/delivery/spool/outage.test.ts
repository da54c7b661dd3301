import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os, { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../../src/client.ts";
import type { Options } from "../../../src/options.ts";
import * as sdkLimits from "../../../src/sdk-limits.ts";
import { startGateway, type TestGateway } from "../../gateway.ts";
import { eventually } from "../../polling.ts";

let gateway: TestGateway;
let client: Client;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-spool-test-"));
  gateway = await startGateway();
  client = new Client(options());
  return async () => {
    await client.close(1_000);
    await gateway.close();
    await rm(folder, { recursive: true });
  };
});

const options = (): Options => ({
  apiKey: "k",
  service: "s",
  env: "PROD",
  endpoint: gateway.url,
  release: undefined,
  redact: [],
  errorFields: [],
  rules: { beforeSend: undefined, beforeBreadcrumb: undefined, ignoreErrors: [], sampleRate: 1 },
  source: "functions",
  logs: [],
  databases: true,
  hangWatch: false,
  localVariables: false,
  watchServers: false,
  watch: false,
  spool: { folder },
});

/** Captures failures during an outage, no faster than they are written to disk. */
async function failManyTimes(count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    client.capture.exception(new Error(`failure ${number}`));
    if (number % 200 === 0) await eventually(async () => (await written()).includes(`"failure ${number}"`));
  }
}

/** Returns what is on disk. */
async function written(): Promise<string> {
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("");
}

describe("an outage of the service", () => {
  it("loses nothing that the disk has room for, and ends without a restart", async () => {
    const outage = Array.from({ length: 1_000 }, () => ({ status: 503 }));
    gateway.answers.push(...outage);
    await failManyTimes(3_000);
    expect(3_000).toBeGreaterThan(2 * sdkLimits.queueEventsMax);
    gateway.answers.length = 0;
    await client.delivery.flush();
    await eventually(() => gateway.events("exception").length >= 3_000);
    const ids = new Set(gateway.events("exception").map(({ id }) => id));
    expect(ids.size).toBe(3_000);
  });

  it("without the disk loses no error while there are messages to evict, and counts each of these", async () => {
    const inMemory = new Client({ ...options(), spool: { off: "spool is false" } });
    gateway.answers.push(...Array.from({ length: 1_000 }, () => ({ status: 503 })));
    for (let turn = 1; turn <= 500; turn++) {
      for (let line = 1; line <= 5; line++) inMemory.capture.message(`line ${line} of turn ${turn}`);
      inMemory.capture.exception(new Error(`failure ${turn}`));
      if (turn % 20 === 0) await new Promise(setImmediate);
    }
    gateway.answers.length = 0;
    await inMemory.delivery.flush();
    const messages = gateway.events("exception").map(({ message }) => message);
    expect(messages).toEqual(Array.from({ length: 500 }, (_, index) => `failure ${index + 1}`));
    const runs = gateway.batches.flatMap(({ dropped = [] }) => dropped);
    const lost = runs.reduce((sum, { from_seq, to_seq }) => sum + to_seq - from_seq + 1, 0);
    expect(lost + gateway.events().length).toBe(Math.max(...gateway.events().map(({ seq }) => seq)));
    expect(new Set(runs.map(({ reason }) => reason))).toEqual(new Set(["queue_full"]));
    await inMemory.close();
  });

  it("reports in heartbeats where events are spooled, or why they are in memory only", async () => {
    await client.delivery.flush();
    const inMemory = new Client({ ...options(), spool: { off: "spool is false" } });
    await inMemory.delivery.flush();
    await inMemory.close();
    const [onDisk, off] = gateway.events("heartbeat").map(({ attributes }) => attributes);
    expect(onDisk).toMatchObject({ spool_folder: folder });
    expect(onDisk).not.toHaveProperty("spool_off");
    expect(off).toMatchObject({ spool_off: "spool is false" });
    expect(off).not.toHaveProperty("spool_folder");
  });

  it("reports in heartbeats how often the disk could not be used", async () => {
    await writeFile(join(folder, "whence-spool"), "in the folder's place");
    const failing = new Client({ ...options(), spool: { folder: join(folder, "whence-spool") } });
    failing.capture.exception(new Error("x"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await failing.close();
    expect(gateway.events("heartbeat")[0]?.attributes).toMatchObject({
      spool_errors: 1,
      spool_off: `${join(folder, "whence-spool")} isn't a folder of this user alone`,
    });
  });

  it("doesn't fail the program when the machine has no name", async () => {
    const nameless = vi.spyOn(os, "hostname").mockImplementation(() => {
      throw new Error("not permitted");
    });
    const failing = new Client(options());
    failing.start([]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(nameless).toHaveBeenCalled();
    nameless.mockRestore();
    await failing.close(1_000);
  });

  it("writes an error that the program survives once, even when many follow, up to its limit", async () => {
    gateway.answers.push(...Array.from({ length: 100 }, () => ({ status: 503 })));
    const told = "x".repeat(60_000);
    for (let number = 1; number <= 200; number++) {
      client.captureUncaught(new Error(`failure ${number} ${told}`), "uncaughtException", true);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    const text = await written();
    expect(text.match(/"message":"failure 1 x/g)).toHaveLength(2);
    expect(text.length).toBeLessThanOrEqual(sdkLimits.spoolFileBytesMax);
    expect(text.length).toBeGreaterThan(sdkLimits.spoolFileBytesMax / 2);
    gateway.answers.length = 0;
  });

  it("makes room in an endless stream of events", async () => {
    const told = "x".repeat(3_000);
    for (let round = 1; round <= 20; round++) {
      for (let number = 0; number < 60; number++) client.capture.exception(new Error(`failure ${told}`));
      await new Promise((resolve) => setTimeout(resolve, 40));
      gateway.answers.push({ status: 202, afterMs: 40 });
      const seen = gateway.posts.length;
      const flushed = client.delivery.flush();
      await eventually(() => gateway.posts.length > seen);
      client.capture.exception(new Error(`the last of round ${round} ${told}`));
      await flushed;
    }
    await eventually(async () => (await written()).includes("the last of round 20"));
    expect((await written()).length).toBeLessThan(sdkLimits.spoolFileBytesMax);
  });

  it("keeps a file that can't be read now, for the next process", async () => {
    gateway.answers.push(...Array.from({ length: 1_000 }, () => ({ status: 503 })));
    await failManyTimes(1_600);
    const { promises } = await import("node:fs");
    const reading = vi
      .spyOn(promises, "readFile")
      .mockRejectedValue(Object.assign(new Error("too many"), { code: "EMFILE" }));
    gateway.answers.length = 0;
    await client.delivery.flush();
    await client.delivery.flush();
    expect(reading).toHaveBeenCalled();
    reading.mockRestore();
    expect(await readdir(folder)).toHaveLength(1);
  });

  it("leaves no file behind", async () => {
    gateway.answers.push(...Array.from({ length: 1_000 }, () => ({ status: 503 })));
    await failManyTimes(400);
    gateway.answers.length = 0;
    expect(await client.close()).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });

  it("reports losses by number when the disk is full as well", async () => {
    gateway.answers.push(...Array.from({ length: 1_000 }, () => ({ status: 503 })));
    // All at once: what hasn't reached the disk yet can't be on it.
    for (let number = 1; number <= 5_000; number++) client.capture.exception(new Error(`failure ${number}`));
    gateway.answers.length = 0;
    await client.delivery.flush();
    const ids = (): number => new Set(gateway.events("exception").map(({ id }) => id)).size;
    const lost = (): number =>
      gateway.batches
        .flatMap((batch) => batch.dropped ?? [])
        .reduce((sum, { from_seq, to_seq }) => sum + to_seq - from_seq + 1, 0);
    await eventually(() => ids() + lost() >= 5_000);
    const heartbeats = 5_001 - new Set(gateway.events().map(({ seq }) => seq)).size - lost();
    expect([0, 1]).toContain(heartbeats);
    expect(ids()).toBeGreaterThan(0);
    expect(ids()).toBeGreaterThan(sdkLimits.queueEventsMax);
  });
});
