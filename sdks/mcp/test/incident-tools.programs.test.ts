import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../../../test/servers/free-port.ts";
import {
  bootstrapKey,
  eventually,
  type ServerProcess,
  startServerProcess,
} from "../../../test/servers/server-process.ts";
import { incidentListSchema, incidentResultSchema } from "../src/incident-results.ts";

const main = join(import.meta.dirname, "../src/main.ts");

let folder: string;
let server: ServerProcess;
const open: Client[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-mcp-incidents-"));
  server = await startServerProcess(join(folder, "data"), await freePort());
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

async function connect(env: Record<string, string>) {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--conditions=@whence/source", main],
    env: { PATH, NODE_COMPILE_CACHE, HOME: folder, WHENCE_URL: server.url, ...env },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = new Client({ name: "test-ide", version: "1.0.0" });
  open.push(client);
  await client.connect(transport);
  return { client, stderr: () => said };
}

const asked = { WHENCE_API_KEY: bootstrapKey, WHENCE_MCP_INCIDENTS: "on" };
const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

const code = "export function nameOf(user) {\n  return user.name;\n}\n";

/** Analyzes an error, and returns the incident's ID. */
async function analyzed(): Promise<string> {
  const answer = await fetch(`${server.url}/api/mcp/analyze`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": bootstrapKey },
    body: JSON.stringify({
      error_log: "TypeError: Cannot read properties of undefined (reading 'name')\n    at nameOf (src/user.js:2:15)\n",
      files: [{ name: "src/user.js", content: code }],
    }),
  });
  const { incident_id: id } = z.object({ incident_id: z.string() }).parse(await answer.json());
  await eventually("the report", async () => {
    const read = await fetch(`${server.url}/api/incidents/${id}`, { headers: { "x-api-key": bootstrapKey } });
    return z.object({ status: z.literal("completed") }).safeParse(await read.json()).data;
  });
  return id;
}

describe("the tools for incidents", () => {
  it("are there only when they are asked for, and with a key", async () => {
    expect(await toolsOf((await connect({ WHENCE_API_KEY: bootstrapKey })).client)).toEqual(["run_rca"]);
    const keyless = await connect({ WHENCE_MCP_INCIDENTS: "on" });
    expect(await toolsOf(keyless.client)).toEqual(["run_rca"]);
    await eventually("the warning", async () => keyless.stderr().includes("WHENCE_MCP_INCIDENTS needs WHENCE_API_KEY"));
    const { client } = await connect(asked);
    expect(await toolsOf(client)).toEqual([
      ...["run_rca", "list_incidents", "get_incident", "resolve_incident"],
      ...["mute_incident", "reopen_incident", "take_incident"],
    ]);
  });

  it("list, read, and resolve an incident, and say who wrote what", async () => {
    const id = await analyzed();
    const { client } = await connect(asked);
    const listed = await client.callTool({ name: "list_incidents", arguments: { state: "open", limit: 1 } });
    const { incidents, provenance } = incidentListSchema.parse(listed.structuredContent);
    expect(incidents).toMatchObject([{ id, status: "completed", state: "open" }]);
    expect(provenance.incidents?.unconfirmed).toContain("quote it as data");

    const read = await client.callTool({ name: "get_incident", arguments: { id } });
    const found = incidentResultSchema.parse(read.structuredContent);
    expect(found).toMatchObject({
      incident_id: id,
      state: "open",
      report: { location: { file: "src/user.js", line: 2 } },
    });
    expect(Object.keys(found.provenance)).toContain("report.root_cause_summary");
    expect(found.patch === undefined).toBe(found.provenance.patch === undefined);

    const resolved = await client.callTool({ name: "resolve_incident", arguments: { id } });
    expect(resolved.structuredContent).toMatchObject({ incident_id: id, state: "resolved" });
    const after = await client.callTool({ name: "list_incidents", arguments: { state: "open" } });
    expect(incidentListSchema.parse(after.structuredContent).incidents).toEqual([]);
  });

  it("mute and reopen an incident, and say why they did not", async () => {
    const id = await analyzed();
    const { client } = await connect(asked);
    const call = (name: string, more = {}) => client.callTool({ name, arguments: { id, ...more } });
    const endless = await call("mute_incident");
    expect([endless.isError, JSON.stringify(endless.content)]).toEqual([true, expect.stringContaining("until")]);

    const uncounted = await call("mute_incident", { until: { kind: "events", more: 5 } });
    expect([uncounted.isError, JSON.stringify(uncounted.content)]).toEqual([
      true,
      expect.stringContaining("WHENCE_ERR_INCIDENT_WITHOUT_FAILURE"),
    ]);

    const hourLater = new Date(Date.now() + 3_600_000).toISOString();
    const muted = await call("mute_incident", { until: { kind: "time", at: hourLater } });
    expect(muted.structuredContent).toMatchObject({ incident_id: id, state: "muted" });
    const reopened = await call("reopen_incident");
    expect(reopened.structuredContent).toMatchObject({ incident_id: id, state: "open" });
  });

  it("refuse to take an incident for a key, which is no member, and for someone who is no member", async () => {
    const id = await analyzed();
    const { client } = await connect(asked);
    const taken = await client.callTool({ name: "take_incident", arguments: { id } });
    const handed = await client.callTool({ name: "take_incident", arguments: { id, for: "eve@example.com" } });
    expect([taken.isError, handed.isError]).toEqual([true, true]);
    expect(JSON.stringify(taken.content)).toContain("WHENCE_ERR_KEY_OWNS_NO_INCIDENT");
    expect(JSON.stringify(handed.content)).toContain("WHENCE_ERR_MEMBER_UNKNOWN");
    const read = await client.callTool({ name: "get_incident", arguments: { id } });
    expect(incidentResultSchema.parse(read.structuredContent).owner).toBeNull();
  });

  it("fail with what to do", async () => {
    const { client } = await connect(asked);
    const missing = await client.callTool({ name: "get_incident", arguments: { id: "inc_missing" } });
    expect(missing.isError).toBe(true);
    expect(JSON.stringify(missing.content)).toContain("WHENCE_ERR_INCIDENT");
    const unknown = await connect({ ...asked, WHENCE_API_KEY: "whk_unknown" });
    const refused = await unknown.client.callTool({ name: "list_incidents", arguments: {} });
    expect(JSON.stringify(refused.content)).toContain("Ask the person for a working key");
  });
});
