import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type Reader, startReader } from "../../../test/servers/reader.ts";

const readme = join(import.meta.dirname, "../README.md");
const serverSchema = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});
const setupSchema = z.union([
  z.object({ mcpServers: z.object({ whence: serverSchema }) }).transform(({ mcpServers }) => mcpServers.whence),
  z.object({ servers: z.object({ whence: serverSchema }) }).transform(({ servers }) => servers.whence),
  z.object({ context_servers: z.object({ whence: serverSchema }) }).transform((zed) => zed.context_servers.whence),
]);

let reader: Reader;
beforeAll(async () => {
  const needed = ["zod", "@modelcontextprotocol/server", "@modelcontextprotocol/core"];
  reader = await startReader(import.meta.filename, needed);
}, 120_000);
afterAll(() => reader?.leave());

/** Returns the tools of a server started by the documented command in an empty folder. */
async function toolsOf(setup: z.infer<typeof serverSchema>): Promise<string[]> {
  const { WHENCE_API_KEY: _, ...env } = setup.env;
  const cwd = await reader.folder();
  const transport = new StdioClientTransport({ ...setup, cwd, env: { ...reader.environment, ...env } });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const { content, isError } = await client.callTool({ name: "run_rca", arguments: { error: "Error: boom" } });
  expect([isError ?? false, JSON.stringify(content)]).toEqual([false, expect.stringContaining("/incidents/inc_")]);
  await client.close();
  return tools.map(({ name }) => name);
}

it("each setup in the README starts the server from the service, with its tool", async () => {
  const text = await readFile(readme, "utf8");
  const setups = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = ""]) =>
    setupSchema.parse(JSON.parse(reader.atServer(json))),
  );
  expect(setups).toHaveLength(3);
  for (const setup of setups) expect(await toolsOf(setup)).toEqual(["run_rca"]);
});

it("`whence mcp` starts the server from the service when none is installed", async () => {
  const args = ["-y", reader.atServer("http://127.0.0.1:4000/sdk/agent.tgz"), "mcp"];
  expect(await toolsOf({ command: "npx", args, env: {} })).toEqual(["run_rca"]);
});

it("the registry is asked only for the SDK and zod", () => {
  expect(reader.registry.asked()).toEqual(["@modelcontextprotocol/core", "@modelcontextprotocol/server", "zod"]);
});
