import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freePort } from "../../../../test/servers/free-port.ts";
import { findProgram } from "../../../../test/servers/programs.ts";
import type { ReceivedWebhook } from "../../src/alert-senders/alert-sender.ts";
import { alertmanager } from "../../src/alertmanager/alert-sender.ts";
import { offline } from "../alert-senders/received.ts";

const secret = "2f1c9b7e";
const webhooks: ReceivedWebhook[] = [];
let folder: string;
let receiver: Server;
let child: ChildProcess;
let url: string;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      webhooks.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  folder = await mkdtemp(join(tmpdir(), "whence-alertmanager-"));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  await writeFile(join(folder, "alertmanager.yml"), configuration((receiver.address() as AddressInfo).port));
  child = spawn(
    findProgram("prometheus-alertmanager", "prometheus-alertmanager"),
    [
      `--config.file=${join(folder, "alertmanager.yml")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      `--storage.path=${folder}`,
      "--cluster.listen-address=",
    ],
    { stdio: "ignore" },
  );
  await vi.waitFor(async () => expect((await fetch(`${url}/-/ready`)).ok).toBe(true), { timeout: 100_000 });
});

afterAll(async () => {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  receiver.close();
  await rm(folder, { recursive: true, force: true });
});

/** What docs/triggers/alertmanager.md has people write. YAML has all of JSON. */
function configuration(port: number): string {
  const http_config = { authorization: { credentials: secret } };
  const webhook_configs = [{ url: `http://127.0.0.1:${port}/`, send_resolved: true, http_config }];
  return JSON.stringify({
    route: { receiver: "whence", group_by: ["alertname"], group_wait: "0s", group_interval: "1s" },
    receivers: [{ name: "whence", webhook_configs }],
  });
}

async function post(endsAt?: string): Promise<void> {
  const labels = { alertname: "HighErrorRate", service: "checkout", env: "production", severity: "critical" };
  const alert = { labels, annotations: { summary: "5xx above 5%" }, startsAt: "2026-03-01T11:58:03.157Z", endsAt };
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/api/v2/alerts`, { method: "POST", headers, body: JSON.stringify([alert]) });
  expect(response.status).toBe(200);
}

async function next(count: number): Promise<ReceivedWebhook> {
  return await vi.waitFor(
    () => {
      const webhook = webhooks[count - 1];
      if (!webhook) throw new Error(`Alertmanager has sent ${webhooks.length} webhooks`);
      return webhook;
    },
    { timeout: 100_000 },
  );
}

describe("a real Alertmanager", () => {
  it("sends an alert that is accepted and read, and its resolution under the same key", async () => {
    await post();
    const firing = await next(1);
    expect(alertmanager.verify(firing, { secret }, offline)).toBe(true);
    expect(alertmanager.verify(firing, { secret: "another" }, offline)).toBe(false);
    const [begun] = alertmanager.read(JSON.parse(firing.body.toString()), firing, { secret });
    expect(begun).toMatchObject({
      alert: {
        state: "firing",
        title: "HighErrorRate: 5xx above 5%",
        service: "checkout",
        at: "2026-03-01T11:58:03.157Z",
      },
    });

    await post(new Date().toISOString());
    const resolved = await next(2);
    const [ended] = alertmanager.read(JSON.parse(resolved.body.toString()), resolved, { secret });
    expect(ended).toMatchObject({ alert: { state: "resolved" } });
    expect(ended?.kind === "alert" && ended.alert.key).toBe(begun?.kind === "alert" && begun.alert.key);
    expect(alertmanager.deliveryId(resolved)).not.toBe(alertmanager.deliveryId(firing));
  });
});
