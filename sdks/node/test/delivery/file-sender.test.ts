import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits } from "@whence/protocol/limits";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { FileSender } from "../../src/delivery/file-sender.ts";
import { HttpSender } from "../../src/delivery/http.ts";
import { describeProcess } from "../../src/process/process-description.ts";
import { nativeTimers } from "../../src/runtime/native-timers.ts";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { eventually } from "../polling.ts";

const [, entry] = process.argv;
/** An answer of the service that names the main file. */
const wantsMain = JSON.stringify({ accepted: 1, rejected: [], wanted_files: ["."] });

let folder: string;
let gateway: TestGateway;
let sender: HttpSender;
let files: FileSender;
let now = 0;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "whence-file-sender-")));
  await writeFile(join(folder, "package.json"), "{}");
  await writeFile(join(folder, "main.mjs"), "export {};");
  process.argv[1] = join(folder, "main.mjs");
  gateway = await startGateway();
  sender = new HttpSender(gateway.url, "whk_test");
  now = 0;
  const header = describeProcess({ service: "s", env: "PROD", release: "r1" });
  files = new FileSender({
    header: () => header,
    clock: () => now,
    elapsed: () => now,
    random: () => 1,
    onInternalError: (error) => expect.unreachable(String(error)),
    postBatch: (json) => sender.post(json),
    postFiles: (json) => sender.post(json, sender.filesUrl),
    postFilesSync: () => expect.unreachable(),
  });
});
afterEach(async () => {
  if (entry !== undefined) process.argv[1] = entry;
  files.stop();
  sender.close();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

/** Passes an answer that names the main file, and returns how many requests with files were made since the start. */
async function askedFor(): Promise<number> {
  await files.answered(wantsMain, false);
  return gateway.files.length;
}

/** An answer that names so many files that aren't the program's, and its main file last. */
const wantsMainAfter = (others: number, round = 0): string =>
  JSON.stringify({ wanted_files: [...Array.from({ length: others }, (_, index) => `/${round}/${index}.js`), "."] });

describe("what an answer asks for", () => {
  it("knows whether the service asks for files that haven't arrived", async () => {
    expect(files.isAsked).toBe(false);
    const asked = files.answered(wantsMain, false);
    expect(files.isAsked).toBe(true);
    await asked;
    expect(files.isAsked).toBe(false);
  });

  it("is taken from the first 60 paths that weren't handled before", async () => {
    await files.answered(wantsMainAfter(limits.wantedFilesMax), false);
    expect(gateway.files).toEqual([]);
    await files.answered(wantsMainAfter(limits.wantedFilesMax), false);
    expect(gateway.files).toHaveLength(1);
  });

  it("is taken until a process has handled too many paths", async () => {
    for (let round = 0; round * limits.wantedFilesMax < sdkLimits.handledPathsMax; round += 1) {
      await files.answered(wantsMainAfter(limits.wantedFilesMax, round), false);
    }
    expect(await askedFor()).toBe(0);
  });

  it("isn't asked for again after the end", async () => {
    const setTimer = vi.spyOn(nativeTimers, "setTimeout");
    onTestFinished(() => setTimer.mockRestore());
    await files.answered(wantsMain, true);
    expect(setTimer).toHaveBeenCalled();
    files.stop();
    setTimer.mockClear();
    now += sdkLimits.filesAskedAgainMs;
    await files.answered(wantsMain, true);
    expect(setTimer).not.toHaveBeenCalled();
  });
});

describe("files that get no answer", () => {
  it("hold up no batch", async () => {
    const { promise: after, resolve: answerFiles } = Promise.withResolvers<unknown>();
    gateway.fileAnswers.push({ status: 202, after });
    const asked = askedFor();
    await eventually(() => gateway.files.length === 1);
    const header = describeProcess({ service: "s", env: "PROD", release: "r1" });
    const sentAt = new Date(now).toISOString();
    const answer = await sender.post(Buffer.from(JSON.stringify({ ...header, sent_at: sentAt, events: [] })));
    expect([answer.status, files.sent]).toEqual([202, 0]);
    answerFiles(undefined);
    await asked;
    expect(files.sent).toBe(gateway.files[0]?.files.length);
  });
});

describe("files that didn't arrive", () => {
  it("are sent again when the service asks after a pause, not before", async () => {
    gateway.fileAnswers.push({ status: 503 });
    expect(await askedFor()).toBe(1);
    now += sdkLimits.backOffFirstMs - 1;
    expect(await askedFor()).toBe(1);
    now += 1;
    expect(await askedFor()).toBe(2);
    expect(files.sent).toBe(gateway.files.at(-1)?.files.length);
    expect(await askedFor()).toBe(2);
  });

  it("are sent again after the pause that the service asks for", async () => {
    gateway.fileAnswers.push({ status: 429, headers: { "retry-after": "60" } });
    expect(await askedFor()).toBe(1);
    now += 60_000 + sdkLimits.backOffFirstMs - 1;
    expect(await askedFor()).toBe(1);
    now += 1;
    expect(await askedFor()).toBe(2);
  });

  it("are sent three times in a row, then not before a long pause", async () => {
    gateway.fileAnswers.push({ status: 503 }, { status: 503 }, { status: 503 });
    for (const attempts of [1, 2, 3, 3, 3]) {
      expect(await askedFor()).toBe(attempts);
      now += sdkLimits.backOffMaxMs;
    }
    now = sdkLimits.filesTriedAgainMs + 3 * sdkLimits.backOffMaxMs;
    expect(await askedFor()).toBe(4);
    expect(files.sent).toBe(gateway.files.at(-1)?.files.length);
  });

  it("don't keep others from being sent once they arrived", async () => {
    gateway.fileAnswers.push({ status: 503 }, { status: 503 });
    for (const attempts of [1, 2, 3]) {
      expect(await askedFor()).toBe(attempts);
      now += sdkLimits.backOffMaxMs;
    }
    await writeFile(join(folder, "data.json"), "{}");
    await writeFile(join(folder, "main.mjs"), 'export const data = "./data.json";');
    await files.answered(JSON.stringify({ accepted: 1, rejected: [], wanted_files: ["data.json"] }), false);
    expect(gateway.files.at(-1)?.files.map(({ path }) => path)).toEqual(["data.json"]);
  });
});
