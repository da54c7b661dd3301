import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Reader, startReader } from "../../../test/servers/reader.ts";
import { bootstrapKey, eventually } from "../../../test/servers/server-process.ts";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "../../../examples/agents");
type Variables = Readonly<Record<string, string>>;

const serverSchema = z.object({
  ...{ command: z.string(), args: z.array(z.string()), env: z.record(z.string(), z.string()) },
  env_vars: z.array(z.string()).default([]),
});
const fileSchema = z.union([
  z.object({ mcpServers: z.object({ whence: serverSchema }) }).transform(({ mcpServers }) => mcpServers.whence),
  z.object({ servers: z.object({ whence: serverSchema }) }).transform(({ servers }) => servers.whence),
]);

/** How each agent fills in the variables of its file. Where none is given: as in a shell without it. */
const agents = {
  "Claude Code": {
    file: "whence/.mcp.json",
    fill: (text: string, given: Variables) =>
      text.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, otherwise = "") => given[name] ?? otherwise),
  },
  Cursor: { file: "whence/cursor.mcp.json", fill: fillEnv },
  Codex: { file: "whence/codex.mcp.json", fill: (text: string) => text },
  "VS Code": { file: "vscode/mcp.json", fill: fillEnv },
};

function fillEnv(text: string, given: Variables): string {
  return text.replaceAll(/\$\{env:(\w+)\}/g, (_, name: string) => given[name] ?? "");
}

const program = {
  "src/users.js": `const users = { u1: { name: "Ada" } };
async function userOf(id) {
  return users[id];
}
module.exports = { userOf };
`,
  "src/greet.js": `const { userOf } = require("./users.js");
async function greet(id) {
  const user = userOf(id);
  return user.name.trim();
}
module.exports = { greet };
`,
  "main.js": `require("./src/greet.js").greet("u1").then(console.log);\n`,
};

let reader: Reader;
beforeAll(async () => {
  const needed = ["zod", "@modelcontextprotocol/server", "@modelcontextprotocol/core"];
  reader = await startReader(import.meta.filename, needed);
});
afterAll(() => reader?.leave());

/** Starts the agent's MCP server as it does: its command and environment, without a shell. */
async function start(agent: keyof typeof agents, given: Variables, cwd: string): Promise<Client> {
  const { file, fill } = agents[agent];
  const { command, args, env, env_vars } = fileSchema.parse(
    JSON.parse(fill(await readFile(join(folder, file), "utf8"), given)),
  );
  const passed = Object.fromEntries(env_vars.map((name) => [name, given[name] ?? ""]));
  const { WHENCE_URL: _, ...environment } = reader.environment;
  const client = new Client({ name: "test-editor", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args, cwd, env: { ...environment, ...env, ...passed } }));
  return client;
}

describe.each(["Claude Code", "Cursor", "Codex", "VS Code"] as const)("the plugin for %s", (agent) => {
  it("investigates a failure, shows its report, has a patch that applies, and resolves the incident", async () => {
    const cwd = await reader.folder(program);
    const given = { WHENCE_URL: reader.server.url, WHENCE_API_KEY: bootstrapKey };
    const client = await start(agent, given, cwd);
    const call = async (name: string, input: Record<string, unknown>) => {
      const { structuredContent, isError, content } = await client.callTool({ name, arguments: input });
      expect([isError ?? false, content]).toEqual([false, expect.anything()]);
      return structuredContent;
    };

    const failure = await run(process.execPath, ["main.js"], { cwd }).catch((error: unknown) => error);
    const { stderr: error } = z.object({ stderr: z.string() }).parse(failure);
    const files = Object.entries(program).map(([name, content]) => ({ name, content }));
    const found = z.object({ incident_id: z.string(), url: z.string() }).parse(await call("run_rca", { error, files }));
    expect(found.url).toContain(`${reader.server.url}/incidents/${found.incident_id}`);

    const shown = await eventually("the report", async () => {
      const read = await call("get_incident", { id: found.incident_id });
      return z.object({ status: z.literal("completed") }).safeParse(read).success ? read : undefined;
    });
    expect(shown).toMatchObject({ report: { location: { file: "src/greet.js", line: 3 } } });
    const { patch } = z.object({ patch: z.object({ diff: z.string() }) }).parse(shown);
    const applied = run("git", ["apply"], { cwd });
    applied.child.stdin?.end(patch.diff);
    await applied;
    expect((await run(process.execPath, ["main.js"], { cwd })).stdout).toBe("Ada\n");

    expect(await call("resolve_incident", { id: found.incident_id })).toMatchObject({ state: "resolved" });
    expect(JSON.stringify(await call("list_incidents", { state: "open" }))).not.toContain(found.incident_id);
    await client.close();
  });

  it("investigates without a key, and leaves the tools for incidents out", async () => {
    const client = await start(agent, { WHENCE_URL: reader.server.url }, await reader.folder());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["run_rca"]);
    const { structuredContent } = await client.callTool({ name: "run_rca", arguments: { error: "Error: boom" } });
    expect(structuredContent).toMatchObject({ agent: { status: "unclaimed" } });
    await client.close();
  });
});
