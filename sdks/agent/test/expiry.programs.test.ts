import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "@whence/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import { type ServerProcess, startServerProcess } from "../../../test/servers/server-process.ts";
import { Agent } from "../src/index.ts";
import { temporaryFolder } from "./whence-command.ts";

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let home: Awaited<ReturnType<typeof temporaryFolder>>;
let port: number;
let server: ServerProcess | undefined;

beforeEach(async () => {
  [data, home, port] = [await temporaryFolder(), await temporaryFolder(), await freePort()];
});
afterEach(async () => {
  await server?.end("SIGTERM");
  await Promise.all([data.remove(), home.remove()]);
});

/** Starts the service on its data, with a clock that is `ms` milliseconds ahead. */
async function serviceAhead(ms: number): Promise<string> {
  await server?.end("SIGTERM");
  const shift = `const now = Date.now; Date.now = () => now() + ${ms};`;
  const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` };
  server = await startServerProcess(data.path, port, environment);
  return server.url;
}

// requirement: agent.client-registers-again
it("an agent whose key has expired registers again on its next call, which succeeds", async () => {
  const url = await serviceAhead(0);
  const folder = join(home.path, ".whence");
  const registered: string[] = [];
  const agent = new Agent({ url, source: "test", folder, onRegistered: ({ agent_id }) => registered.push(agent_id) });
  const before = await agent.status();

  const marginMs = 60_000;
  await serviceAhead(limits.unclaimedAgentLifetimeMs - marginMs);
  expect((await agent.status()).agent_id).toBe(before.agent_id);

  await serviceAhead(limits.unclaimedAgentLifetimeMs);
  const after = await agent.analyze({ error_log: "E" });
  expect(after.status).toBe("queued");
  expect(registered).toHaveLength(2);
  const { services } = JSON.parse(await readFile(join(folder, "credentials.json"), "utf8"));
  expect(services[url]).toMatchObject({
    agent_id: registered[1],
    history: [{ agent_id: before.agent_id, source: "test", reason: "expired" }],
  });
  expect(JSON.stringify(services[url].history)).not.toContain("wha_");
});
