import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { lazyStorage, type StoredEvent, telemetryTopic } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedText } from "../../src/analysis/analysis-body.ts";
import { incidentFromText } from "../../src/analysis/from-text.ts";
import { readBackup } from "../../src/operator/read-backup.ts";
import { restoreBackup } from "../../src/operator/restore-backup.ts";
import { storedEvent } from "../stored-event.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../test-service.ts";
import { mountOperator } from "./service.ts";

let service: TestService;
let app: FastifyInstance;
let acme: TestOrganization;
let incidentId: string;
let events: StoredEvent[];
let backup: Buffer;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  const { incidents } = service.control.scope(acme.id);
  const files = [{ name: "a.js", content: "\u2028 line\n" }];
  incidentId = (await incidents.open(incidentFromText(await askedText("Error: kept", files), null, new Date()))).id;
  events = Array.from({ length: 1_203 }, (_, index) => storedEvent(acme.id, { instance: `i${index % 7}` }));
  await service.events.insert(events);
  await service.queue.publish(telemetryTopic, [{ id: "waiting", body: "{}" }]);
  const operator = await mountOperator(service);
  app = operator.app;
  const answer = await app.inject({ url: "/operator/backup", headers: { authorization: `Bearer ${operator.token}` } });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-type"]).toBe("application/gzip");
  backup = answer.rawPayload;
});
afterAll(async () => {
  await app.close();
  await service.close();
});

const linesOf = (file: Buffer): string[] => gunzipSync(file).toString().split("\n").slice(0, -1);
const fileOf = (lines: readonly string[]): Buffer => gzipSync(lines.map((line) => `${line}\n`).join(""));

async function read(file: Buffer): Promise<number> {
  let items = 0;
  for await (const _item of readBackup(Readable.from([file]))) items += 1;
  return items;
}

/** The error of an attempt to restore, and what it wrote. */
async function refused(file: Buffer): Promise<{ code: unknown; written: number }> {
  let written = 0;
  const write = async (): Promise<void> => {
    written += 1;
  };
  const target = { control: { importRows: write }, events: { insert: write } };
  const error: unknown = await restoreBackup(() => Readable.from([file]), target).catch((caught: unknown) => caught);
  return { code: Reflect.get(Object(error), "code"), written };
}

describe("a backup", () => {
  it("is JSON lines: its head, rows, events, and a last line that counts them and what isn't included", () => {
    const lines = linesOf(backup);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      whence_backup: 1,
      at: new Date(service.clock.now).toISOString(),
      engine_version: expect.any(String),
    });
    const parsed = lines.slice(1, -1).map((line) => Object.keys(JSON.parse(line)).join());
    const rows = parsed.filter((keys) => keys === "table,row").length;
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
      end: { rows, events: events.length },
      not_included: { telemetry_messages: 1 },
    });
    expect(parsed.indexOf("event")).toBe(rows);
  });

  it("contains no key, token, or password in plain text", () => {
    const text = gunzipSync(backup).toString();
    expect(text).not.toContain(acme.key);
    expect(text).not.toContain("correct horse battery");
  });

  it("restores everything into an empty service, once, and isn't restored into one that holds something", async () => {
    const folder = await mkdtemp(join(tmpdir(), "whence-restore-"));
    // The embedded engine has one data directory per process, so the events are restored in place, and their number stays the same.
    const { open, close } = await emptyControl(folder);
    const control = await open();
    const restored = await restoreBackup(() => Readable.from([backup]), { control, events: service.events });
    expect(restored).toMatchObject({ events: events.length });
    const scope = control.scope(acme.id);
    const mine = service.control.scope(acme.id);
    expect(await scope.incidents.find(incidentId)).toEqual(await mine.incidents.find(incidentId));
    expect(await scope.incidents.input(incidentId)).toEqual(await mine.incidents.input(incidentId));
    const asked = (await control.outbox.pending(10)).map(({ body }) => JSON.parse(body).incident_id);
    expect(new Set(asked)).toEqual(new Set([incidentId]));
    const stored: StoredEvent[] = [];
    for await (const chunk of service.events.everything()) stored.push(...chunk);
    const byId = (left: StoredEvent, right: StoredEvent) => left.event.id.localeCompare(right.event.id);
    expect(stored.sort(byId)).toEqual([...events].sort(byId));
    const again = restoreBackup(() => Readable.from([backup]), { control, events: service.events });
    await expect(again).rejects.toMatchObject({ code: "WHENCE_ERR_CONTROL_NOT_EMPTY" });
    await close();
  });

  it("whose events couldn't be stored leaves the control database empty, so that it can be restored again", async () => {
    const folder = await mkdtemp(join(tmpdir(), "whence-restore-"));
    const { open, close } = await emptyControl(folder);
    const control = await open();
    const failing = { insert: () => Promise.reject(new Error("the disk is full")) };
    const restoring = restoreBackup(() => Readable.from([backup]), { control, events: failing });
    await expect(restoring).rejects.toThrow("the disk is full");
    expect(await control.scope(acme.id).incidents.list({ limit: 1 })).toEqual([]);
    await restoreBackup(() => Readable.from([backup]), { control, events: service.events });
    expect(await control.scope(acme.id).incidents.list({ limit: 10 })).toHaveLength(1);
    await close();
  });

  it("is streamed, and lacks its last line when it breaks off in the middle", async () => {
    const { control, queue, metrics, clock } = service;
    const breaking = async function* () {
      for (let chunk = 0; chunk < 20; chunk++) yield Array.from({ length: 1_000 }, () => storedEvent(acme.id));
      throw new Error("the store is gone");
    };
    const failing = { ...service, events: { ...service.events, everything: breaking }, control, queue, metrics, clock };
    const { app: other, token } = await mountOperator(failing);
    const base = await other.listen({ port: 0, host: "127.0.0.1" });
    const answer = await fetch(`${base}/operator/backup`, { headers: { authorization: `Bearer ${token}` } });
    await expect(answer.arrayBuffer()).rejects.toThrow();
    await other.close();
  });
});

describe("a file that isn't a complete backup", () => {
  it("is rejected before anything is written, whatever is wrong with it", async () => {
    const lines = linesOf(backup);
    const [head = "", ...rest] = lines;
    const end = lines.at(-1) ?? "";
    const newer = head.replace('"whence_backup":1', '"whence_backup":2');
    const flipped = Buffer.from(backup);
    const middle = Math.floor(flipped.length / 2);
    flipped[middle] = (flipped[middle] ?? 0) ^ 0xff;
    const wrong: [string, Buffer, string][] = [
      ["empty", Buffer.alloc(0), "WHENCE_ERR_BACKUP_TRUNCATED"],
      ["gzipped nothing", gzipSync(""), "WHENCE_ERR_BACKUP_FOREIGN"],
      ["text", Buffer.from("hello\n"), "WHENCE_ERR_BACKUP_FOREIGN"],
      ["gzipped text", gzipSync("hello\n"), "WHENCE_ERR_BACKUP_FOREIGN"],
      ["without its head", fileOf(rest), "WHENCE_ERR_BACKUP_FOREIGN"],
      ["of a later format", fileOf([newer, ...rest]), "WHENCE_ERR_BACKUP_NEWER"],
      ["cut off", backup.subarray(0, backup.length - 9), "WHENCE_ERR_BACKUP_TRUNCATED"],
      ["cut off early", backup.subarray(0, 200), "WHENCE_ERR_BACKUP_TRUNCATED"],
      ["without its last line", fileOf(lines.slice(0, -1)), "WHENCE_ERR_BACKUP_TRUNCATED"],
      ["cut off in a line", gzipSync(gunzipSync(backup).subarray(0, -10)), "WHENCE_ERR_BACKUP_TRUNCATED"],
      ["with a line less", fileOf(lines.toSpliced(5, 1)), "WHENCE_ERR_BACKUP_CORRUPT"],
      ["with a line twice", fileOf(lines.toSpliced(5, 0, lines[5] ?? "")), "WHENCE_ERR_BACKUP_CORRUPT"],
      ["with a line behind the last", fileOf([...lines, end]), "WHENCE_ERR_BACKUP_CORRUPT"],
      ["with an event that is none", fileOf(lines.toSpliced(-2, 1, '{"event":{}}')), "WHENCE_ERR_BACKUP_CORRUPT"],
      ["with a line of something else", fileOf(lines.toSpliced(3, 1, "3")), "WHENCE_ERR_BACKUP_CORRUPT"],
      ["with a row behind the events", fileOf(lines.toSpliced(-1, 0, lines[1] ?? "")), "WHENCE_ERR_BACKUP_CORRUPT"],
    ];
    for (const [what, file, code] of wrong) expect(await refused(file), what).toEqual({ code, written: 0 });
    expect(await refused(flipped)).toMatchObject({ code: expect.stringMatching(/CORRUPT|TRUNCATED/), written: 0 });
  });

  it("is recognized by reading it to its end", async () => {
    expect(await read(backup)).toBe(linesOf(backup).length - 2);
  });
});

/** A control database that holds nothing. */
async function emptyControl(folder: string) {
  const storage = lazyStorage({ dataDirectory: folder });
  return {
    open: () => storage.control(),
    async close() {
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
