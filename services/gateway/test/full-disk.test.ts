import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { lazyStorage, telemetryTopic } from "@whence/storage";
import { expect, it } from "vitest";
import { readBatchMessage } from "../src/telemetry/batch-message.ts";
import { batchOf, logEvent } from "./batches.ts";
import { eventually } from "./eventually.ts";
import { newKey, path } from "./test-gateway.ts";

const key = newKey();
const program = join(import.meta.dirname, "programs/serve-gateway.ts");
/** Limits the process's files to 1 MiB, which acts like a full disk without filling one. */
const limited = 'trap "" XFSZ; ulimit -S -f 2048; exec "$@"';

function post(url: string, instance: string): Promise<Response> {
  const events = Array.from({ length: 20 }, (_, index) => logEvent({ seq: index + 1, message: "m".repeat(1_000) }));
  const headers = { "content-type": "application/json", "x-api-key": key };
  return fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(batchOf(events, { instance })) });
}

/** Returns the instances of all batches in the queue. */
async function queuedIn(dataDirectory: string): Promise<string[]> {
  const storage = lazyStorage({ dataDirectory });
  const queue = await storage.queue();
  const deliveries = await queue.receive(telemetryTopic, { max: 1_000, waitMs: 0 });
  await storage.close();
  return deliveries.map(({ body }) => {
    const read = readBatchMessage(body);
    if ("unreadable" in read) throw new Error(read.unreadable);
    return read.batch.instance;
  });
}

it("answers 503 with Retry-After while the disk is full, keeps what it acknowledged, and continues once there is room", async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "whence-full-disk-"));
  const command = [process.execPath, "--conditions=@whence/source", program, dataDirectory, key];
  const gateway = spawn("sh", ["-c", limited, "sh", ...command], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(gateway, "exit");
  try {
    const [url]: string[] = await once(createInterface(gateway.stdout), "line");
    if (url === undefined) throw new Error("the gateway did not start");
    const acknowledged: string[] = [];
    const refused = await eventually("a refusal", async () => {
      const instance = `before-${acknowledged.length}`;
      const answer = await post(url, instance);
      if (answer.status !== 202) return answer;
      acknowledged.push(instance);
      return undefined;
    });
    expect(acknowledged.length).toBeGreaterThan(5);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await refused.json()).toMatchObject({ code: "WHENCE_ERR_TELEMETRY_UNAVAILABLE" });
    expect((await post(url, "refused")).status).toBe(503);

    spawnSync("prlimit", ["--pid", String(gateway.pid), "--fsize=unlimited"]);
    await eventually("room", async () => (await post(url, "after")).status === 202);
    gateway.kill("SIGTERM");
    await exited;
    expect(await queuedIn(dataDirectory)).toEqual(expect.arrayContaining([...acknowledged, "after"]));
  } finally {
    gateway.kill("SIGKILL");
    await rm(dataDirectory, { recursive: true, force: true });
  }
});
