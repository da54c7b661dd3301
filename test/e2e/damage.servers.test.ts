import { execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { appendFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deliveryAccount } from "../cluster/outcome.ts";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";

const batches = 40;

let dataDirectory: string;
let server: ServerProcess;
let sent: number;
const instance = randomUUID();

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-damage-"));
  server = await startServerProcess(dataDirectory, await freePort());
  sent = 0;
});
afterEach(async () => {
  await server.end("SIGKILL");
  await rm(dataDirectory, { recursive: true, force: true });
});

/** Sends a new event, repeatedly until it is acknowledged. */
async function sendNext(): Promise<void> {
  sent += 1;
  const batch = batchOf([exceptionEvent("render", sent)], { instance });
  await eventually("an acknowledgement", async () =>
    (await sendBatch(server.url, bootstrapKey, batch)) ? true : undefined,
  );
}

async function expectAllStoredOnce(): Promise<void> {
  const account = await eventually("the stored events", async () => {
    const found = await deliveryAccount(server.url, bootstrapKey, instance);
    return found !== undefined && found.received >= sent ? found : undefined;
  });
  expect(account).toMatchObject({ received: sent, last_seq: sent, missing_events: 0 });
}

describe("a service whose power fails in the middle of a write", () => {
  it("keeps every acknowledged event, whatever is at the end of its write-ahead logs", async () => {
    for (let batch = 0; batch < batches; batch++) await sendNext();
    await server.end("SIGKILL");
    const logs = (await readdir(dataDirectory, { recursive: true })).filter((name) => name.endsWith("-wal"));
    expect(logs.length).toBeGreaterThan(0);
    for (const log of logs) await appendFile(join(dataDirectory, log), randomBytes(10_000));
    server = await startServerProcess(dataDirectory, await freePort());
    await expectAllStoredOnce();
  });
});

/** Sets the soft limit; an empty string means as many as the process may have. */
function limitDescriptors(pid: number | undefined, soft: string): void {
  const hard = /Max open files\s+\d+\s+(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1] ?? "";
  execFileSync("prlimit", ["--pid", String(pid), `--nofile=${soft || hard}:`]);
}

describe("a service with few file descriptors", () => {
  it("survives more connections than it may have open, and keeps every acknowledged event", async () => {
    const { pid } = server.process;
    const inUse = (await readdir(`/proc/${pid}/fd`)).length;
    limitDescriptors(pid, String(inUse + 20));
    const { port } = new URL(server.url);
    const sockets: Socket[] = [];
    for (let index = 0; index < 100; index++) {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
      await Promise.race([once(socket, "connect"), once(socket, "close")]);
      sockets.push(socket);
    }
    for (const socket of sockets) socket.destroy();
    for (let batch = 0; batch < batches; batch++) await sendNext();
    // The event store needs more of them to store the queue's content.
    limitDescriptors(pid, "");
    await expectAllStoredOnce();
    expect(server.process.exitCode).toBeNull();
  });
});
