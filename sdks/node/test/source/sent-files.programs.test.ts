import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { limits } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../gateway.ts";

const client = pathToFileURL(join(import.meta.dirname, "../../src/index.ts")).href;
const start = `import { captureException, init } from ${JSON.stringify(client)};
init({ apiKey: "whk_test", endpoint: process.env.ENDPOINT, service: "shop", release: "1", spool: false });
captureException(new Error("boom"));
setInterval(() => undefined, 1_000);
`;

let folder: string;
let gateway: TestGateway;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "whence-sent-")));
  gateway = await startGateway();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `app/main.mjs` among these files, and answers its first batches with the wanted paths. */
async function run(files: Readonly<Record<string, string>>, wanted: readonly string[], batches = 1): Promise<void> {
  for (const [path, text] of Object.entries({ "app/package.json": "{}", ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  for (let batch = 0; batch < batches; batch += 1) {
    gateway.answers.push({ status: 202, body: JSON.stringify({ accepted: 1, rejected: [], wanted_files: wanted }) });
  }
  child = spawn(process.execPath, ["--conditions=@whence/source", "main.mjs"], {
    cwd: join(folder, "app"),
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ENDPOINT: gateway.url },
    stdio: "inherit",
  });
}

/** Resolves with the paths of the files of the first request, in its order. */
async function sentPaths(): Promise<string[]> {
  await expect.poll(() => gateway.files.length).toBe(1);
  return gateway.files[0]?.files.map(({ path }) => path) ?? [];
}

describe("the files that the service asks for", () => {
  it("are sent with those that they name, then the others of the program, each with its digest", async () => {
    const b = 'export { c } from "./c.mjs";\nexport const data = "./prices.yaml";\n';
    await run(
      {
        "app/main.mjs": `import "./lib/a.mjs";\nimport "./lib/b.mjs";\n${start}`,
        "app/lib/a.mjs": "export const a = 1;",
        "app/lib/b.mjs": b,
        "app/lib/c.mjs": "export const c = 1;",
        "app/lib/prices.yaml": "a: 1",
        "app/lib/unused.mjs": "export const unused = 1;",
      },
      [join(folder, "app/lib/b.mjs")],
    );
    const paths = ["lib/b.mjs", "lib/c.mjs", "lib/prices.yaml", "main.mjs", "lib/a.mjs"];
    expect((await sentPaths()).slice(0, 3)).toEqual(paths.slice(0, 3));
    expect((await sentPaths()).toSorted()).toEqual(paths.toSorted());
    const [request] = gateway.files;
    expect(request).toMatchObject({ service: "shop", release: "1" });
    const sha256 = createHash("sha256").update(b).digest("hex");
    expect(request?.files[0]).toEqual({ path: "lib/b.mjs", content: b, sha256 });
  });

  it("are refused when the program doesn't name them, or they are hidden, installed, or outside of its folder", async () => {
    await mkdir(join(folder, "app"), { recursive: true });
    await writeFile(join(folder, "outside.mjs"), "export const outside = 1;");
    await symlink(join(folder, "outside.mjs"), join(folder, "app/linked.mjs"));
    const named = ["./.env", "./.ssh/id.mjs", "./node_modules/pad/index.js", "../outside.mjs", "./linked.mjs"];
    const more = ["./service-account.json", "./key.pem", "./named.mjs"];
    const all = [...named, ...more];
    await run(
      {
        "app/main.mjs": `const names = ${JSON.stringify(all)};\n${start}`,
        "app/.env": "SECRET=1",
        "app/.ssh/id.mjs": "export const id = 1;",
        "app/node_modules/pad/index.js": "exports.pad = 1;",
        "app/service-account.json": "{}",
        "app/key.pem": "key",
        "app/named.mjs": "export const named = 1;",
        "app/unnamed.mjs": "export const unnamed = 1;",
      },
      [...all, "./unnamed.mjs"].map((name) => join(folder, "app", name)).concat("/etc/passwd"),
    );
    expect((await sentPaths()).toSorted()).toEqual(["main.mjs", "named.mjs"]);
  });

  it("aren't sent at all when none of them is the program's", async () => {
    await run({ "app/main.mjs": start }, ["/etc/passwd", join(folder, "app/.env")]);
    // The second batch is the one that asks again.
    await expect.poll(() => gateway.batches.length).toBeGreaterThan(1);
    expect(gateway.files).toEqual([]);
  });

  it("are at most 60 of a process, of 256 KiB each", async () => {
    const kilobyte = `// ${"x".repeat(1_020)}\n`;
    const names = Array.from({ length: 70 }, (_, at) => `./lib/${at}.mjs`);
    const small = Object.fromEntries(names.map((name) => [join("app", name), kilobyte]));
    const imports = names.map((name) => `import ${JSON.stringify(name)};`).join("\n");
    await run(
      {
        ...small,
        "app/lib/0.mjs": `// ${"x".repeat(limits.sentFileBytesMax)}`,
        "app/main.mjs": `${imports}\n${start}`,
      },
      ["."],
    );
    const paths = await sentPaths();
    expect(paths).toHaveLength(limits.sentFilesMax);
    expect(paths).not.toContain("lib/0.mjs");
  });

  it("are at most 2 MB of a process", async () => {
    const large = `// ${"x".repeat(limits.sentFileBytesMax - 4)}\n`;
    const names = Array.from({ length: 9 }, (_, at) => `./lib/${at}.mjs`);
    const imports = names.map((name) => `import ${JSON.stringify(name)};`).join("\n");
    await run(
      {
        ...Object.fromEntries(names.map((name) => [join("app", name), large])),
        "app/main.mjs": `${imports}\n${start}`,
      },
      ["."],
    );
    await sentPaths();
    const bytes = gateway.files[0]?.files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0) ?? 0;
    expect(bytes).toBeLessThanOrEqual(limits.sentBytesMax);
    expect(bytes).toBeGreaterThan(limits.sentBytesMax - limits.sentFileBytesMax);
  });

  it("are the sources of a compiled file, by its map", async () => {
    const map = (sources: readonly string[], contents: readonly (string | null)[]): string =>
      JSON.stringify({ version: 3, sources, sourcesContent: contents, names: [], mappings: "AAAA" });
    await run(
      {
        "app/main.mjs": `import "./dist/shop.mjs";\n${start}`,
        "app/dist/shop.mjs": "export const shop = 1;\n//# sourceMappingURL=shop.mjs.map\n",
        "app/dist/shop.mjs.map": map(
          ["../src/shop.ts", "../src/on-disk.ts", "../node_modules/pad/index.ts", "../../outside.ts"],
          ["export const shop: number = 1;", null, "pad", null],
        ),
        "app/src/on-disk.ts": "export const disk: number = 1;",
        "outside.ts": "export const outside = 1;",
      },
      [join(folder, "app/src/shop.ts")],
    );
    expect((await sentPaths()).toSorted()).toEqual(["main.mjs", "src/on-disk.ts", "src/shop.ts"]);
    const texts = gateway.files[0]?.files.map(({ content }) => content);
    expect(texts).toContain("export const shop: number = 1;");
    expect(texts).toContain("export const disk: number = 1;");
  });

  it("are sent once, even when the service asks again", async () => {
    await run({ "app/main.mjs": start }, ["."], 10);
    await expect.poll(() => gateway.batches.length).toBeGreaterThan(2);
    expect(gateway.files).toHaveLength(1);
  });
});
