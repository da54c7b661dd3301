import { mkdir, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import {
  type InstalledPackages,
  installPackages,
  nodeBinary,
  packageFolder,
} from "../../../test/servers/installed-packages.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../../../test/servers/server-process.ts";

const here = import.meta.filename;
const sdk = createRequire(here).resolve("@modelcontextprotocol/server");
const node20 = nodeBinary(here, "node-20");

let installed: InstalledPackages;
let server: ServerProcess;

beforeAll(async () => {
  installed = await installPackages(
    ["protocol", "agent", "mcp"],
    [
      packageFolder(here, "zod"),
      packageFolder(here, "@modelcontextprotocol/server"),
      packageFolder(sdk, "@modelcontextprotocol/core"),
    ],
  );
  await mkdir(join(installed.folder, "data"));
  server = await startServerProcess(join(installed.folder, "data"), await freePort());
}, 120_000);
afterAll(async () => {
  await server?.end("SIGTERM");
  await installed?.remove();
});

const binary = (name: string) => join(installed.folder, "node_modules/.bin", name);

it.each([
  ["whence-mcp", () => [binary("whence-mcp")]],
  ["whence mcp", () => [binary("whence"), "mcp"]],
])("the published package runs on Node 20 as %s, and the official client lists and calls its tool", async (_, args) => {
  const transport = new StdioClientTransport({
    command: node20,
    args: args(),
    env: { HOME: installed.folder, WHENCE_URL: server.url, WHENCE_API_KEY: bootstrapKey },
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["run_rca"]);
  const { content, isError } = await client.callTool({ name: "run_rca", arguments: { error: "Error: boom" } });
  expect(isError).not.toBe(true);
  expect(content[0]).toMatchObject({ type: "text", text: expect.stringMatching(/\/incidents\/inc_/) });
  await client.close();
});

it("the published package depends only on the SDK, zod, and our own packages", async () => {
  const modules = join(installed.folder, "node_modules");
  const names = (await readdir(modules)).filter((name) => !name.startsWith(".")).sort();
  expect(names).toEqual(["@modelcontextprotocol", "@whence", "zod"]);
  expect((await readdir(join(modules, "@whence"))).sort()).toEqual(["agent", "mcp", "protocol"]);
});
