import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, startServerProcess } from "../servers/server-process.ts";

const headers = { "content-type": "application/json", "x-api-key": bootstrapKey };
const body = JSON.stringify({ error_log: "TypeError: cart is undefined\n    at total (/srv/shop/cart.js:3:9)" });

it("investigates and previews when Node was started with a V8 flag", async () => {
  const folder = await mkdtemp(join(tmpdir(), "whence-flags-"));
  const server = await startServerProcess(folder, await freePort(), {}, ["--max-old-space-size=512"]);
  onTestFinished(async () => {
    await server.end("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  });
  const post = (path: string) => fetch(server.url + path, { method: "POST", headers, body });
  expect((await post("/api/analyze/preview")).status).toBe(200);
  const { incident_id: id } = z
    .object({ incident_id: z.string() })
    .parse(await (await post("/api/mcp/analyze")).json());
  const ended = await eventually("the end of the investigation", async () => {
    const answer = await fetch(`${server.url}/api/incidents/${id}`, { headers });
    const { status } = z.object({ status: z.string() }).parse(await answer.json());
    return ["completed", "failed"].includes(status) ? status : undefined;
  });
  expect(ended).toBe("completed");
});
