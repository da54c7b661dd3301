import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { HttpSender } from "../../../src/delivery/http.ts";
import { SpoolFolder } from "../../../src/delivery/spool/spool-folder.ts";
import { SpoolSender } from "../../../src/delivery/spool/spool-sender.ts";
import { startGateway, type TestGateway } from "../../gateway.ts";

let gateway: TestGateway;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-spool-test-"));
  gateway = await startGateway();
  return async () => {
    await gateway.close();
    await rm(folder, { recursive: true });
  };
});

const now = Date.parse("2026-11-22T12:00:00Z");
const header = {
  sdk: { name: "@whence/node", version: "1.0.0" },
  service: "s",
  env: "PROD",
  host: { name: "h", pid: 1, runtime: { name: "node", version: "26.0.0" }, os: "linux", arch: "x64" },
  instance: "0123456789abcdef0123456789abcdef",
};

/** Sends the three events, of `characters` each, that another process left. */
async function sendsWhatWasLeft(characters = 10): Promise<void> {
  const path = join(folder, "left");
  const event = (seq: number): string =>
    JSON.stringify({
      id: `01935b6e-0000-7000-8000-00000000000${seq}`,
      seq,
      type: "log",
      timestamp: new Date(now).toISOString(),
      level: "error",
      message: "m".repeat(characters),
      mechanism: { type: "captureMessage", handled: true },
    });
  await writeFile(path, [JSON.stringify(header), ...[1, 2, 3].map(event)].join("\n"));
  const http = new HttpSender(gateway.url, "k");
  const sender = new SpoolSender({
    folder: new SpoolFolder(folder, () => ["s"], "abc"),
    post: (json) => http.post(json),
    clock: () => now,
    elapsed: () => 0,
    random: () => 0.5,
    onFailure: () => expect.fail("the disk works"),
  });
  sender.hold({ path });
  await sender.send();
  http.close();
}

const arrived = (): number[] => gateway.events().map(({ seq }) => seq);
const lost = () => gateway.batches.flatMap(({ dropped }) => dropped ?? []);

describe("the service, about a spooled batch,", () => {
  it.each([400, 415, 422])("may answer %i: it is dropped and reported by number", async (status) => {
    gateway.answers.push({ status });
    await sendsWhatWasLeft();
    expect([arrived(), lost()]).toEqual([[], [{ from_seq: 1, to_seq: 3, reason: "rejected" }]]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("may also reject each report of that, which isn't repeated forever", async () => {
    gateway.answers.push({ status: 400 }, { status: 400 });
    await sendsWhatWasLeft();
    expect(gateway.posts).toHaveLength(2);
    expect(await readdir(folder)).toEqual([]);
  });

  it("may reject one event, which is reported", async () => {
    gateway.answers.push({ status: 202, body: '{"accepted":2,"rejected":[{"index":1}]}' });
    await sendsWhatWasLeft();
    expect(lost()).toEqual([{ from_seq: 2, to_seq: 2, reason: "rejected" }]);
  });

  it("may find it too large: it is sent in smaller batches, and trimmed", async () => {
    gateway.answers.push({ status: 413 }, { status: 413 }, { status: 413 });
    await sendsWhatWasLeft(60_000);
    expect([arrived(), lost()]).toEqual([[1, 2, 3], []]);
    expect(gateway.events()[0]?.message.slice(-50)).toMatch(/m… \[trimmed \d+ characters\]$/);
    expect(await readdir(folder)).toEqual([]);
  });

  it("may find any size too large: it is kept for later", async () => {
    gateway.answers.push(...Array.from({ length: 40 }, () => ({ status: 413 })));
    await sendsWhatWasLeft(60_000);
    expect([arrived(), await readdir(folder)]).toEqual([[], ["left"]]);
    expect(gateway.posts.length).toBeLessThan(10);
  });
});
