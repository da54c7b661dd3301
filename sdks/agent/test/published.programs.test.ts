import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import {
  type InstalledPackages,
  installPackages,
  nodeBinary,
  packageFolder,
} from "../../../test/servers/installed-packages.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../../../test/servers/server-process.ts";
import { temporaryFolder } from "./whence-command.ts";

const run = promisify(execFile);
const protocol = createRequire(import.meta.url).resolve("@whence/protocol");
const nodes = ["node-18", "node-20"].map((name) => [name, nodeBinary(import.meta.filename, name)] as const);

let installed: InstalledPackages;
let data: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let app: string;

beforeAll(async () => {
  installed = await installPackages(["protocol", "agent"], [packageFolder(protocol, "zod")]);
  data = await temporaryFolder();
  server = await startServerProcess(data.path, await freePort());
  app = join(installed.folder, "app");
  await mkdir(app);
  await writeFile(join(app, "user.js"), "export function nameOf(user) {\n  return user.name;\n}\n");
  await writeFile(
    join(app, "error.log"),
    "TypeError: Cannot read properties of undefined (reading 'name')\n    at nameOf (/srv/user.js:2:15)\n",
  );
}, 120_000);
afterAll(async () => {
  await server?.end("SIGTERM");
  await installed?.remove();
  await data?.remove();
});

const environment = (home: string) => ({ PATH: process.env.PATH, HOME: home, WHENCE_URL: server.url });
const program = `
const client = new WhenceClient({ url: process.env.WHENCE_URL, apiKey: "${bootstrapKey}" });
client.analyze({ error_log: "E" }).then(({ status }) => console.log(status));
`;

describe("the published package", () => {
  it.each(nodes)(
    "runs as the whence command on %s, on a machine that has never contacted the service",
    async (name, node) => {
      const home = join(installed.folder, `home-${name}`);
      await mkdir(home);
      const command = join(installed.folder, "node_modules/.bin/whence");
      const options = { cwd: app, env: environment(home) };
      const { stdout, stderr } = await run(node, [command, "rca", "error.log", "--auto", "--wait"], options);
      expect(stdout).toContain("Root cause");
      expect(stdout).toContain("> 2 │   return user.name;");
      expect(stderr).toMatch(/claim it .* at: http\S+\/login\?claim=whc_/);
      await writeFile(
        join(app, "report.json"),
        (await run(node, [command, "rca", "error.log", "--auto", "--wait", "--json"], options)).stdout,
      );
      expect(
        (await run(node, [command, "verify", "report.json", "error.log", ".", "--strict"], options)).stdout,
      ).toContain("The report matches its sources.");
      expect((await run(node, [command, "status"], options)).stdout).toContain("unclaimed");
    },
  );

  it.each(nodes)("can be imported and required on %s", async (_, node) => {
    const options = { cwd: installed.folder, env: environment(installed.folder) };
    const imported = `import { WhenceClient } from "@whence/agent";${program}`;
    expect((await run(node, ["--input-type=module", "-e", imported], options)).stdout).toBe("queued\n");
    const required = `const { WhenceClient } = require("@whence/agent");${program}`;
    expect((await run(node, ["--input-type=commonjs", "-e", required], options)).stdout).toBe("queued\n");
  });

  it("can be run by npx", async () => {
    const { stdout } = await run("npx", ["--no", "whence", "--version"], { cwd: installed.folder });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("has types that compile in a strict consumer", async () => {
    const text = `import { Agent, type FollowMessage, ServiceRefusal, WhenceClient } from "@whence/agent";
const client = new WhenceClient({ url: "http://a", apiKey: "k" });
export const url: Promise<string> = client.analyze({ error_log: "E", files: null }).then((started) => started.url);
export async function last(id: string): Promise<FollowMessage["kind"] | undefined> {
  let kind: FollowMessage["kind"] | undefined;
  for await (const message of client.follow(id)) kind = message.kind;
  return kind;
}
export const agent: Agent = new Agent({ source: "x", folder: "/tmp/x" });
export const seconds = (error: unknown): number | null => (error instanceof ServiceRefusal ? error.retryAfterSeconds : null);
// @ts-expect-error: an analysis needs an error text
client.analyze({});
`;
    await writeFile(join(installed.folder, "consumer.mts"), text);
    await writeFile(join(installed.folder, "consumer.cts"), text);
    const tsc = join(packageFolder(join(import.meta.dirname, "../../../package.json"), "typescript"), "bin/tsc");
    const flags = [
      "--strict",
      "--noEmit",
      "--module",
      "nodenext",
      "--target",
      "es2022",
      "--exactOptionalPropertyTypes",
    ];
    const files = ["consumer.mts", "consumer.cts"];
    await run(process.execPath, [tsc, ...flags, "--lib", "es2022,dom,dom.asynciterable", ...files], {
      cwd: installed.folder,
    });
  });
});
