import { execFile } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InstalledPackages, installPackages } from "../../../test/servers/installed-packages.ts";
import { startGateway, type TestGateway } from "./gateway.ts";
import { runtimes } from "./runtimes.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const program = `
init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT });
setTimeout(() => { throw new RangeError("out of stock"); }, 10);
`;

let installed: InstalledPackages;
let gateway: TestGateway;

beforeAll(async () => {
  [installed, gateway] = await Promise.all([installPackages(["node"], []), startGateway()]);
  const { folder } = installed;
  await writeFile(join(folder, "crash.cjs"), `const { init } = require("@whence/node");${program}`);
  await writeFile(join(folder, "crash.mjs"), `import { init } from "@whence/node";${program}`);
}, 120_000);
afterAll(async () => {
  await gateway?.close();
  await installed?.remove();
});

describe("the published package", () => {
  it.each(
    runtimes.flatMap((runtime) =>
      ["crash.cjs", "crash.mjs"].map((file) => [runtime.name, file, runtime.path] as const),
    ),
  )("runs on Node %s as %s, installed by npm into an empty folder", async (_name, file, node) => {
    const before = gateway.events("exception").length;
    const env = { PATH: "", TMPDIR: temporaryFolder(), WHENCE_ENDPOINT: gateway.url };
    const dying = promisify(execFile)(node, [file], { cwd: installed.folder, env });
    await expect(dying).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("RangeError: out of stock") });
    expect(gateway.events("exception").slice(before)).toMatchObject([{ message: "out of stock", level: "critical" }]);
  });

  it("takes less than 450 kB, and 20 kB more that only an order to watch places loads", async () => {
    const files = await readdir(join(installed.folder, "node_modules"), { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(
      files.filter((file) => file.isFile()).map(async (file) => (await stat(join(file.parentPath, file.name))).size),
    );
    const bookkeeping = await stat(join(installed.folder, "node_modules/.package-lock.json"));
    // Only a program that is ordered to watch places loads it.
    const loadedWithAnOrder = await stat(
      join(installed.folder, "node_modules/@whence/node/dist/watch/order-follower.cjs"),
    );
    const whole = sizes.reduce((sum, size) => sum + size, 0);
    expect(whole - bookkeeping.size - loadedWithAnOrder.size).toBeLessThan(450_000);
    expect(loadedWithAnOrder.size).toBeLessThan(20_000);
  });

  it("contains nothing about its development", async () => {
    const manifest = await readFile(join(installed.folder, "node_modules/@whence/node/package.json"), "utf8");
    expect(JSON.parse(manifest)).toMatchObject({ name: "@whence/node", license: "Apache-2.0" });
    expect(manifest).not.toMatch(/devDependencies|scripts|@whence\/source/);
  });

  it("has types that need no other package", async () => {
    const folder = join(installed.folder, "node_modules/@whence/node/dist");
    const types = (await readdir(folder, { recursive: true })).filter((name) => /\.d\.c?ts$/.test(name));
    const texts = await Promise.all(types.map((name) => readFile(join(folder, name), "utf8")));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/(?:from|import\()\s*["']([^."'][^"']*)/g)].map(([, name]) => name),
    );
    expect(types.length).toBeGreaterThan(20);
    expect(imported.filter((name) => !name?.startsWith("node:"))).toEqual([]);
  });

  it("depends on no other package", async () => {
    const modules = join(installed.folder, "node_modules");
    expect((await readdir(modules)).filter((name) => !name.startsWith("."))).toEqual(["@whence"]);
    expect(await readdir(join(modules, "@whence"))).toEqual(["node"]);
  });
});
