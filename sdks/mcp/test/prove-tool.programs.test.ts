import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import {
  bootstrapKey,
  eventually,
  type ServerProcess,
  startServerProcess,
} from "../../../test/servers/server-process.ts";
import { proveResultSchema } from "../src/prove-tool.ts";

const main = join(import.meta.dirname, "../src/main.ts");

let folder: string;
let server: ServerProcess;
const open: Client[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-mcp-prove-"));
  server = await startServerProcess(join(folder, "data"), await freePort());
  await mkdir(join(folder, "src"));
  await write(
    "src/plan.js",
    `function planOf(id) {
  const plans = { p1: { limit: 3 } };
  if (id in plans) return plans[id];
}
module.exports = { planOf };
`,
  );
  await write(
    "main.js",
    `const { planOf } = require("./src/plan.js");
function limitOf(order) {
  const plan = planOf(order.plan);
  return plan.limit;
}
limitOf({ plan: process.argv[2] });
`,
  );
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

const write = (name: string, text: string) => writeFile(join(folder, name), text);

function transportTo(env: Record<string, string>) {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const service = { WHENCE_URL: server.url, WHENCE_API_KEY: bootstrapKey };
  return new StdioClientTransport({
    command: process.execPath,
    args: ["--conditions=@whence/source", main],
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, HOME: folder, ...service, ...env },
    stderr: "ignore",
  });
}

async function connectOver(transport: StdioClientTransport) {
  const client = new Client({ name: "test-ide", version: "1.0.0" });
  open.push(client);
  await client.connect(transport);
  return client;
}

const connect = (env: Record<string, string> = { WHENCE_MCP_PROVE: `${process.execPath}  main.js` }) =>
  connectOver(transportTo(env));

const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const longMs = 300_000;
const proves = (client: Client, input: object, options: object = {}) =>
  client.callTool({ name: "prove", arguments: { within_seconds: 300, ...input } }, { timeout: longMs, ...options });

describe("the tool prove", () => {
  it("is there only when a command is configured", async () => {
    expect(await toolsOf(await connect({}))).toEqual(["run_rca"]);
    expect(await toolsOf(await connect({ WHENCE_MCP_PROVE: " " }))).toEqual(["run_rca"]);
    expect(await toolsOf(await connect())).toEqual(["run_rca", "prove"]);
  });

  it("runs the command with the arguments of the call, and says what was seen and who wrote it", async () => {
    const said: string[] = [];
    const onprogress = ({ message = "" }: { message?: string }) => said.push(message);
    const { structuredContent } = await proves(await connect(), { arguments: ["p9"] }, { onprogress });
    const proof = proveResultSchema.parse(structuredContent);
    expect(proof).toMatchObject({
      ...{ passed: false, status: "completed", report: { location: { file: "src/plan.js" } } },
      url: expect.stringContaining("/incidents/inc_"),
    });
    expect(proof.verdicts?.[0]?.seen).toBe("confirmed");
    expect(proof.observed).toContainEqual(expect.stringMatching(/`planOf` .* returned `undefined`.* in run 2/));
    expect(proof.provenance?.observed?.author).toBe("client");
    expect(said.slice(0, 2)).toEqual(["run 1 failed", "run 2 failed"]);
  });

  it("says that the command passed", async () => {
    const { structuredContent } = await proves(await connect(), { arguments: ["p1"] });
    expect(structuredContent).toMatchObject({ passed: true });
  });

  it("gives arguments to no shell", async () => {
    await write("main2.js", `require("node:fs").writeFileSync("given.json", JSON.stringify(process.argv.slice(2)));\n`);
    const client = await connect({ WHENCE_MCP_PROVE: `${process.execPath} main2.js` });
    const given = ["; touch made", "$(touch made)", "--json", "--"];
    await proves(client, { arguments: given });
    expect(JSON.parse(await readFile(join(folder, "given.json"), "utf8"))).toEqual(given);
  });

  it("says why there is no report", async () => {
    const silent = await connect({ WHENCE_MCP_PROVE: `${process.execPath} -e process.exit(3)` });
    expect(await proves(silent, {})).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("failed without printing anything") }],
    });
    const missing = await connect({ WHENCE_MCP_PROVE: "no-such-program" });
    expect(await proves(missing, {})).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("no-such-program") }],
    });
  });

  it("ends the command when the call is cancelled", async () => {
    await write("wait.js", waits("pid"));
    const client = await connect({ WHENCE_MCP_PROVE: `${process.execPath} wait.js` });
    const leaving = new AbortController();
    const call = proves(client, {}, { signal: leaving.signal }).catch(() => "cancelled");
    const pid = await eventually("the program", () => readFile(join(folder, "pid"), "utf8").catch(() => undefined));
    leaving.abort();
    expect(await call).toBe("cancelled");
    await eventually("its end", async () => !isAlive(Number(pid)) || undefined);
  });

  it.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("ends the commands of all calls when it gets %s", async (name) => {
    await write("wait.js", waits(`pid-${name}-`, "process.argv[2]"));
    const transport = transportTo({ WHENCE_MCP_PROVE: `${process.execPath} wait.js` });
    const client = await connectOver(transport);
    const calls = ["1", "2"].map((one) => proves(client, { arguments: [one] }).catch(() => "ended"));
    const pids = await Promise.all(
      ["1", "2"].map((one) =>
        eventually("the program", () => readFile(join(folder, `pid-${name}-${one}`), "utf8").catch(() => undefined)),
      ),
    );
    process.kill(Number(transport.pid), name);
    expect(await Promise.all(calls)).toEqual(["ended", "ended"]);
    for (const pid of pids) await eventually("its end", async () => !isAlive(Number(pid)) || undefined);
  });
});

/** A program that writes its id into a file, whose name may end with an expression, and goes on. */
function waits(file: string, end = '""'): string {
  return `require("node:fs").writeFileSync(${JSON.stringify(file)} + ${end}, String(process.pid));\nsetInterval(() => {}, 1000);\n`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
