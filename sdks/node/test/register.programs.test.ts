import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ending, type Programs, preparePrograms } from "./equivalence-programs.ts";
import { startGateway, type TestGateway } from "./gateway.ts";
import { runUntilSent } from "./next-start.ts";
import { runtimeNamed, runtimes } from "./runtimes.ts";

let programs: Programs;
let gateway: TestGateway;

beforeAll(async () => {
  programs = await preparePrograms();
});
beforeEach(async () => {
  gateway = await startGateway();
  return () => gateway.close();
});
afterAll(() => programs.remove());

const preloads = {
  "--import": (folder: string) => ["--import", join(folder, "sdk", "register.js")],
  "--require": (folder: string) => ["--require", join(folder, "sdk", "register.cjs")],
};

interface Settings {
  readonly runtime?: string;
  readonly args?: readonly string[];
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function start(file: string, { runtime = "26", args, flags, env }: Settings = {}): Promise<Ending> {
  const environment = {
    WHENCE_API_KEY: "whk_test",
    WHENCE_ENDPOINT: gateway.url,
    WHENCE_SERVICE: "orders",
    WHENCE_ENV: "STAGING",
    WHENCE_RELEASE: "7.1.0",
    ...env,
  };
  return await runUntilSent(programs.folder, { runtime: runtimeNamed(runtime), file, args, flags, env: environment });
}

describe("@whence/node/register", () => {
  it.each(
    runtimes.flatMap(({ name }) =>
      (["plain.mjs", "plain.cjs"] as const).flatMap((file) =>
        (["--import", "--require"] as const).map((preload) => [name, preload, file] as const),
      ),
    ),
  )("watches a program on Node %s without client code: %s, %s", async (runtime, preload, file) => {
    const { code } = await start(file, { runtime, flags: preloads[preload](programs.folder) });
    expect(code).toBe(1);
    expect(gateway.events("exception").map(({ message }) => message)).toEqual(["out of stock"]);
    expect(gateway.batches[0]).toMatchObject({ service: "orders", env: "STAGING", release: "7.1.0" });
  });

  it("is inherited by child processes, and each reports once", async () => {
    const env = { NODE_OPTIONS: preloads["--import"](programs.folder).join(" ") };
    await start("plain.cjs", { args: ["forks"], env });
    expect(gateway.events("exception").map(({ message }) => message)).toEqual(["out of stock"]);
  });

  it("enables the spool", async () => {
    gateway.answers.push({ status: 503 });
    const flags = preloads["--import"](programs.folder);
    await start("plain.mjs", { flags, env: { WHENCE_SPOOL: programs.folder } });
    expect(await readdir(join(programs.folder, "whence-spool"))).toHaveLength(1);
    await start("plain.mjs", { flags, env: { WHENCE_SPOOL: "0" } });
    expect(await readdir(join(programs.folder, "whence-spool"))).toHaveLength(1);
  });

  it("uses the release of the program that PM2 runs, not PM2's", async () => {
    const entry = join("pm2", "lib", "ProcessContainerFork.js");
    const files = {
      "pm2/package.json": JSON.stringify({ name: "pm2", version: "7.0.4" }),
      [entry]: "require(process.env.pm_exec_path);",
      "shop/package.json": JSON.stringify({ name: "shop", version: "1.4.2" }),
      "shop/main.js": 'throw new Error("out of stock");',
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(programs.folder, name)), { recursive: true });
      await writeFile(join(programs.folder, name), text);
    }
    const env = { WHENCE_RELEASE: "", pm_exec_path: join(programs.folder, "shop/main.js") };
    await start(entry, { flags: preloads["--require"](programs.folder), env });
    expect(gateway.batches.map(({ release }) => release)).toEqual([
      expect.stringMatching(/^shop@1\.4\.2(?:\+[0-9a-f]{12})?$/),
    ]);
  });

  it("is off without a key, and warns once", async () => {
    const { code, stderr } = await start("plain.mjs", {
      flags: preloads["--import"](programs.folder),
      env: { WHENCE_API_KEY: "" },
    });
    expect(code).toBe(1);
    expect(stderr.match(/WHENCE_WARN_INIT/g)).toHaveLength(1);
    expect(gateway.posts).toEqual([]);
  });

  it("turns the client off", async () => {
    const flags = preloads["--import"](programs.folder);
    await start("plain.mjs", { flags, env: { WHENCE_ENABLED: "off" } });
    expect(gateway.posts).toEqual([]);
  });

  it.each([
    ["cjs", "run.cjs"],
    ["esm", "run.mjs"],
  ] as const)("shares one client with that of a bundled program (%s), and adopts its name", async (format, entry) => {
    const file = `bundle-${format}.${format === "cjs" ? "cjs" : "mjs"}`;
    await bundle(entry, format, file);
    const flags = preloads[format === "cjs" ? "--require" : "--import"](programs.folder);
    await start(file, { args: ["throws later"], flags });
    expect(gateway.events("exception")).toHaveLength(1);
    expect(gateway.batches.map(({ service }) => service)).toEqual(["program"]);
  });
});

describe("a bundled program with the client in it", () => {
  it.each([
    ["cjs", "run.cjs", "18"],
    ["cjs", "run.cjs", "26"],
    ["esm", "run.mjs", "18"],
    ["esm", "run.mjs", "26"],
  ] as const)("reports its crash (%s of %s, Node %s)", async (format, entry, runtime) => {
    const file = `bundled-${runtime}.${format === "cjs" ? "cjs" : "mjs"}`;
    await bundle(entry, format, file, true);
    const { code } = await start(file, { runtime, args: ["throws later"] });
    expect(code).toBe(1);
    expect(gateway.events("exception").map(({ message }) => message)).toEqual(["order lost"]);
  });
});

/** Bundles as people bundle services: everything in one file, for Node, with minified names. */
async function bundle(entry: string, format: "cjs" | "esm", file: string, keepNames = false): Promise<void> {
  await build({
    entryPoints: [join(programs.folder, entry)],
    outfile: join(programs.folder, file),
    bundle: true,
    platform: "node",
    format,
    conditions: ["watched"],
    minify: true,
    keepNames,
    logLevel: "error",
    // CommonJS inside an ES module needs `require` for Node's modules; this is the usual workaround.
    banner:
      format === "esm"
        ? { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' }
        : {},
  });
}
