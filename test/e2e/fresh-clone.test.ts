import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { repositoryFiles, root } from "../repository-files.ts";
import { freePort } from "../servers/free-port.ts";
import { userPath } from "../servers/installed-packages.ts";

const run = promisify(execFile);
const key = "whk_of_the_first_start";
/** A busy machine takes minutes to build, with the low priority that builds have here. */
const patience = { timeout: 900_000, interval: 200 };

/** Ignored by every tool, and on the disk of pnpm's store, which is linked instead of copied. */
const ignored = join(root, ".whence");
/** What a start doesn't read, thousands of files. */
const notStarted = /(^|\/)test\/|^bench\/.*\/|^examples\/.*\/.*\/.*\//;
let clone: string;
let environment: Record<string, string>;
beforeAll(async () => {
  await mkdir(ignored, { recursive: true });
  clone = await mkdtemp(join(ignored, "fresh-clone-"));
  environment = {
    ...{ PATH: userPath, HOME: process.env.HOME ?? "", WHENCE_BOOTSTRAP_API_KEY: key },
    ...{ PORT: String(await freePort()), WHENCE_DATA_DIR: join(clone, "data") },
  };
  const files = repositoryFiles("**/*", "**/.*", "docs/.vitepress/**/*").filter((file) => !notStarted.test(file));
  for (const file of files) await cp(join(root, file), join(clone, file)).catch(ignoreFolders);
  const install = ["-y", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"];
  await run("npx", install, { cwd: clone, env: environment });
});
afterAll(() => rm(clone, { recursive: true, force: true }));

/** `repositoryFiles` lists folders too; their files come one by one. */
function ignoreFolders(error: NodeJS.ErrnoException): void {
  if (error.code !== "ERR_FS_EISDIR") throw error;
}

interface Started {
  readonly process: ChildProcess;
  output(): string;
}

/** Runs `pnpm start` as a person does, in a process group of its own. */
function start(): Started {
  const child = spawn("npx", ["-y", "pnpm@12", "start"], { cwd: clone, env: environment, detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const started = { process: child, output: () => output };
  onTestFinished(() => stop(started));
  return started;
}

/** Stops it as Ctrl-C does, unless it has stopped. */
async function stop({ process: child }: Started): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
  await closed;
}

const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${environment.PORT}${path}`);
const printed = ({ output }: Started, text: string): Promise<void> => expect.poll(output, patience).toContain(text);
const served = (path: string): Promise<void> =>
  expect.poll(async () => (await get(path)).status, { ...patience, message: path }).toBe(200);

it("serves its page and takes errors before the clients and the documentation are built, and then those", async () => {
  const first = start();
  await printed(first, "Whence listens on");
  for (const path of ["/docs/", "/sdk/node.tgz"]) {
    const answer = await get(path);
    expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "5"]);
  }
  expect((await get("/")).status).toBe(200);
  const body = JSON.stringify({ error_log: "TypeError: x is not a function" });
  const headers = { "content-type": "application/json", "x-api-key": key };
  const analyze = `http://127.0.0.1:${environment.PORT}/api/mcp/analyze`;
  expect((await fetch(analyze, { method: "POST", body, headers })).status).toBe(200);

  await served("/sdk/node.tgz");
  await printed(first, "Building the documentation …");
  await stop(first);
  const running = async (): Promise<string[]> => (await run("ps", ["-eo", "args"])).stdout.split("\n");
  await expect.poll(running).not.toContainEqual(expect.stringContaining(clone));

  const second = start();
  await printed(second, "Whence listens on");
  await served("/docs/sdk/node");
  await printed(second, "The documentation is built.");
  await stop(second);
  expect(first.output()).toContain("Building the page …");
  expect(second.output()).not.toContain("Building the clients …");
  expect(`${first.output()}${second.output()}`).not.toMatch(/warn|deprecat/i);
}, 1_800_000);
