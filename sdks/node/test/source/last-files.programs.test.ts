import { spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

const client = pathToFileURL(join(import.meta.dirname, "../../src/index.ts")).href;
const imports = `import { captureException, close, flush, init } from ${JSON.stringify(client)};
import { total } from "./lib/total.mjs";
`;
/** Gives a program minutes for its end, where a busy machine needs them. */
const patience = `import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith("/src/sdk-limits.ts")) return loaded;
    const source = String(loaded.source).replace(/(crashWaitMs|exitWaitMs) = [0-9_]+/g, "$1 = 300_000");
    return { ...loaded, source };
  },
});`;
const patient = ["--import", `data:text/javascript,${encodeURIComponent(patience)}`];

let folder: string;
let gateway: TestGateway;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "whence-last-")));
  gateway = await startGateway();
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly ms: number;
}

/** Runs a program of two files to its end; every answer names the second one, where it throws. */
async function run(
  end: string,
  options: Readonly<Record<string, unknown>> = {},
  flags: readonly string[] = patient,
): Promise<Ended> {
  const total = 'export const total = (order) => order.items.length;\nexport const prices = "./prices.json";\n';
  const settings = {
    apiKey: "whk_test",
    endpoint: gateway.url,
    service: "shop",
    release: "1",
    spool: false,
    ...options,
  };
  const files = {
    "package.json": "{}",
    "lib/total.mjs": total,
    "lib/prices.json": "[]",
    "main.mjs": `${imports}init(${JSON.stringify(settings)});\n${end}\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const body = JSON.stringify({ accepted: 1, rejected: [], wanted_files: [join(folder, "lib/total.mjs")] });
  for (let batch = 0; batch < 5; batch += 1) gateway.answers.push({ status: 202, body });
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--conditions=@whence/source", ...flags, "main.mjs"], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, output, ms: performance.now() - startedAt };
}

const paths = (): string[] => gateway.files.flatMap(({ files }) => files.map(({ path }) => path));
const whole = ["lib/total.mjs", "lib/prices.json", "main.mjs"];

describe("a program that ends before an investigation asks for its files", () => {
  it.each([
    ["crashes at once", "total({});", 1],
    ["crashes a moment later", "setTimeout(() => total({}), 200);", 1],
    [
      "catches an error and exits",
      "try { total({}); } catch (error) { captureException(error); }\nprocess.exit(3);",
      3,
    ],
    ["catches an error and runs out of work", "try { total({}); } catch (error) { captureException(error); }", 0],
  ])("sends them with its last events when it %s", async (_how, end, code) => {
    expect((await run(end)).code).toBe(code);
    expect(gateway.events("exception")).toHaveLength(1);
    expect(paths()).toEqual(whole);
  });

  it.each([
    ["flushes and exits", "captureException(new Error('boom'));\nawait flush();\nprocess.exit(3);", 3],
    ["closes the client", "captureException(new Error('boom'));\nawait close();", 0],
  ])("sends them when it %s", async (_how, end, code) => {
    expect((await run(end)).code).toBe(code);
    expect(new Set(paths())).toEqual(new Set(whole));
  });

  it("prints what it does without the client", async () => {
    const { output } = await run("total({});");
    expect(paths()).toEqual(whole);
    const { output: without } = await run("total({});", { enabled: false });
    expect(output).toBe(without);
  });

  it.each(["functions", "none"])("sends none with source: %s", async (source) => {
    expect((await run("total({});", { source })).code).toBe(1);
    expect(gateway.events("exception")).toHaveLength(1);
    expect(gateway.files).toEqual([]);
  });

  it.each([
    ["crashes", "total({});", 1, sdkLimits.requestTimeoutMs],
    ["closes the client", "captureException(new Error('boom'));\nawait close();", 0, sdkLimits.flushTimeoutMs / 2],
  ])("doesn't wait until the request with them times out when it %s", async (_how, end, status, mostMs) => {
    const { ms: answered } = await run(end, {}, []);
    gateway.fileAnswers.push({ status: 202, after: new Promise(() => undefined) });
    const { code, ms } = await run(end, {}, []);
    expect(code).toBe(status);
    expect(ms).toBeLessThan(answered + mostMs);
  });
});
