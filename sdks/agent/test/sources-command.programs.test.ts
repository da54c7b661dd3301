import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { limits, sourceListSchema } from "@whence/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../../../test/servers/server-process.ts";
import { type CommandRun, temporaryFolder, whence } from "./whence-command.ts";

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let app: string;

beforeAll(async () => {
  data = await temporaryFolder();
  server = await startServerProcess(data.path, await freePort());
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await data?.remove();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  app = join(folder.path, "app");
});
afterEach(() => folder.remove());

const run = (args: readonly string[], options: Partial<CommandRun> = {}) =>
  whence(["sources", ...args], {
    home: folder.path,
    cwd: app,
    ...options,
    env: { WHENCE_URL: server.url, WHENCE_API_KEY: bootstrapKey, ...options.env },
  });

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(app, path)), { recursive: true });
    await writeFile(join(app, path), text);
  }
}

async function upload(service: string, release = "2.0.0"): Promise<Record<string, unknown>> {
  const { stdout, stderr, code } = await run(["upload", "--service", service, "--release", release, "--json"]);
  expect([code, stdout], stderr).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
}

describe("whence sources upload", () => {
  it("uploads the code and source maps below a folder, and the second time only what changed", async () => {
    await write({ "src/total.js": "total", "dist/main.js": "main", "dist/main.js.map": "{}", "README.md": "words" });
    expect(await upload("again")).toMatchObject({ files: 3, sent: 3, left_out: {} });
    await write({ "src/total.js": "total, changed" });
    expect(await upload("again", "2.0.1")).toMatchObject({ files: 3, sent: 1 });
    expect(await upload("again", "2.0.1")).toMatchObject({ files: 3, sent: 0 });
  });

  it("uploads data, settings, migrations, and lists of dependencies", async () => {
    await write({
      ...{ "src/total.js": "total", "migrations/1.sql": "ALTER TABLE a RENAME b TO c", "package-lock.json": "{}" },
      ...{ "config/prices.json": "[]", "config/app.yaml": "a: 1", Dockerfile: "FROM node:24", ".nvmrc": "24" },
      ...{ ".env.example": "URL=", "requirements.txt": "a==1", "go.mod": "module a", "pom.xml": "<project/>" },
      ...{ "build.gradle": "plugins {}", Gemfile: "gem 'a'", "app.properties": "a=1", "pyproject.toml": "[project]" },
    });
    expect(await upload("data")).toMatchObject({ files: 15, left_out: {} });
  });

  it("leaves out data that may hold credentials, data of tests, and large data other than lock files", async () => {
    const large = " ".repeat(limits.sourceDataFileBytesMax + 1);
    await write({
      ...{ "src/total.js": "total", "package-lock.json": large, "exact.json": large.slice(1) },
      ...{ "large.json": large, "k8s/shop.yaml": "kind: Secret\ndata:\n  a: aHVudGVyMg==\n" },
      ...{ "secrets/shop.yaml": "a: 1", "db-credentials.toml": "a = 1", "server.key": "key", "test/data.json": "{}" },
      ...{ ".env.production": "A=1", ".npmrc": "a=b" },
    });
    expect(await upload("careful")).toMatchObject({
      files: 3,
      left_out: { "large.json": "too large", "k8s/shop.yaml": "holds credentials" },
    });
  });

  it("never uploads hidden files, third-party code, or links", async () => {
    await write({
      "src/total.js": "total",
      ".env": "KEY=1",
      ".env.js": "module.exports = 1",
      ".git/hooks/a.js": "hook",
      "node_modules/express/index.js": "express",
      "service-account.json": "{}",
      ".config/a.json": "{}",
    });
    await writeFile(join(folder.path, "outside.js"), "outside");
    await symlink(join(folder.path, "outside.js"), join(app, "src/linked.js"));
    expect(await upload("hidden")).toMatchObject({ files: 1 });
  });

  it("masks recognized credentials, and lists the files with masked ones and the files left out", async () => {
    const key = ["AKIA", "ABCDEFGHIJKLMNOP"].join("");
    await write({ "src/total.js": "total", "src/aws.js": `const key = "${key}";`, "big.js": "x".repeat(1) });
    await writeFile(join(app, "big.js"), "x".repeat(limits.sourceFileBytesMax + 1));
    const { stdout, stderr } = await run(["upload", "--service", "aws", "--release", "1"]);
    expect(stdout).toMatch(/^uploaded 2 files of aws 1; the service already had \d\n$/);
    expect(stderr).toBe(
      "left out 1 file:\n  big.js: too large\nmasked a credential in 1 file:\n  src/aws.js: an AWS access key\n",
    );
  });

  it("uploads more than fits into one request", async () => {
    const large = (name: string) => name.padEnd(limits.sourceFileBytesMax, "x");
    await write(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.js`, large(String(at))])));
    expect(await upload("large")).toMatchObject({ files: 9, sent: 9 });
  });

  it("sends the commit of the checkout", async () => {
    await write({ "src/total.js": "total" });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { cwd: app });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "add totals");
    const id = git("rev-parse", "HEAD").toString().trim();
    await upload("committed");
    const answer = await fetch(`${server.url}/api/sources`, { headers: { "x-api-key": bootstrapKey } });
    const { bundles } = sourceListSchema.parse(await answer.json());
    expect(bundles.find(({ service }) => service === "committed")?.commit).toMatchObject({
      id,
      author: "Ada",
      subject: "add totals",
    });
    const { stdout } = await run(["list"]);
    expect(stdout).toMatch(new RegExp(`^committed 2\\.0\\.0: 1 file, commit ${id.slice(0, 7)}, uploaded \\d{4}-`, "m"));
  });

  it.each([
    [["upload"], "whence sources upload needs --service and --release"],
    [["upload", "--service", "a"], "whence sources upload needs --service and --release"],
    [["upload", "--service", "a", "--release", "1", "gone"], "gone isn't a folder"],
    [["upload", "--service", "a", "--release", "1"], ". has no source code to upload"],
    [["remove"], "whence sources takes upload [DIR] or list"],
  ])("rejects wrong usage: %j", async (args, said) => {
    await mkdir(app, { recursive: true });
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it("needs a key of the organization, and registers no agent", async () => {
    await write({ "src/total.js": "total" });
    const { code, stderr } = await run(["upload", "--service", "a", "--release", "1"], { env: { WHENCE_API_KEY: "" } });
    expect([code, stderr]).toEqual([2, expect.stringContaining("set WHENCE_API_KEY to a key of your organization")]);
  });

  it("prints the service's reason for a refusal", async () => {
    await write({ "src/total.js": "total" });
    const env = { WHENCE_API_KEY: "whk_unknown" };
    const { code, stderr } = await run(["upload", "--service", "a", "--release", "1"], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining("WHENCE_ERR_KEY_UNKNOWN")]);
  });
});
