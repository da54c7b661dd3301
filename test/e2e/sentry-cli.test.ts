import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "tsup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { root } from "../repository-files.ts";
import { freePort } from "../servers/free-port.ts";
import { becomeOwner } from "../servers/owner-session.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { incidentOf, placeOf } from "./reporting-programs.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";

const run = promisify(execFile);
const sentryCli = join(root, "node_modules/.bin/sentry-cli");

let folder: string;
let server: ServerProcess;
let cookie: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-sentry-cli-"));
  server = await startServerProcess(join(folder, "data"), await freePort());
  cookie = await becomeOwner(server.url, server.output());
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

/** Makes an empty repository, whose author is Ada. */
async function newCheckout(): Promise<string> {
  const checkout = await mkdtemp(join(folder, "checkout-"));
  await mkdir(join(checkout, "src"));
  await run("git", ["init", "--quiet"], { cwd: checkout });
  return checkout;
}

/** Commits a text of `src/total.js`, and returns the commit's id. */
async function commit(checkout: string, text: string, subject: string): Promise<string> {
  await writeFile(join(checkout, "src/total.js"), text);
  await run("git", ["add", "."], { cwd: checkout });
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@acme.example", "-c", "commit.gpgsign=false"];
  await run("git", [...author, "commit", "--quiet", "-m", subject], { cwd: checkout });
  return (await run("git", ["rev-parse", "HEAD"], { cwd: checkout })).stdout.trim();
}

/** Runs `sentry-cli` as a CI job does, with Whence as its Sentry, and returns what it printed. */
async function cli(cwd: string, service: string, ...args: readonly string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  const env = {
    ...{ PATH, HOME, SENTRY_URL: server.url, SENTRY_AUTH_TOKEN: bootstrapKey, SENTRY_ORG: "acme" },
    ...(service !== "" && { SENTRY_PROJECT: service }),
  };
  const { stdout, stderr } = await run(sentryCli, [...args], { cwd, env });
  return stdout + stderr;
}

/** Builds a page's script with its map into `dist` of a checkout. */
async function buildScript(checkout: string): Promise<void> {
  const source = "const totalOf = (order) =>\n  order.lines.length;\naddEventListener('click', () => totalOf({}));\n";
  await writeFile(join(checkout, "src/cart.ts"), source);
  await build({
    ...{ entry: { shop: join(checkout, "src/cart.ts") }, outDir: join(checkout, "dist"), platform: "browser" },
    ...{ format: "iife", minify: true, sourcemap: true, config: false, silent: true },
    outExtension: () => ({ js: ".js" }),
  });
}

/** Reports an error at the script's only access of a length, as a page that loads the script from a URL does. */
async function reportFrom(checkout: string, service: string, url: string): Promise<void> {
  const made = await fetch(`${server.url}/api/keys`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ name: service, scope: "sentry", project: { service, origins: [] } }),
  });
  const { dsn } = z.object({ dsn: z.string() }).parse(await made.json());
  const lines = (await readFile(join(checkout, "dist/shop.js"), "utf8")).split("\n");
  const lineno = lines.findIndex((line) => line.includes(".length")) + 1;
  const colno = (lines[lineno - 1] ?? "").indexOf(".length") + 2;
  const frames = [{ filename: url, function: "?", lineno, colno, in_app: true }];
  const error = { type: "TypeError", value: "Cannot read properties of undefined (reading 'length')" };
  const { username, pathname } = new URL(dsn);
  const answer = await fetch(`${server.url}/api${pathname}/store/`, {
    method: "POST",
    headers: { "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${username}` },
    body: JSON.stringify({
      ...{ platform: "javascript", release: "4.0.0", level: "error" },
      exception: { values: [{ ...error, stacktrace: { frames } }] },
    }),
  });
  expect(answer.status).toBe(200);
}

describe("sentry-cli, unmodified", () => {
  it("sets the commits of releases, and the report names the last one since the release before", async () => {
    const checkout = await newCheckout();
    await commit(checkout, "export const total = (order) => order.total;\n", "Add totals");
    await cli(checkout, "orders", "releases", "new", "1.0.0");
    expect(await cli(checkout, "orders", "releases", "set-commits", "1.0.0", "--auto")).toContain("Success!");
    await cli(checkout, "orders", "deploys", "new", "--release", "1.0.0", "--env", "production");

    const id = await commit(checkout, "export const total = (order) => order.sum;\n", "Rename total to sum");
    expect(await cli(checkout, "orders", "releases", "set-commits", "2.0.0", "--auto")).not.toContain(
      "Could not find the previous commit",
    );
    await cli(checkout, "orders", "releases", "finalize", "2.0.0");
    await cli(checkout, "orders", "deploys", "new", "--release", "2.0.0", "--env", "production");

    const batch = batchOf([exceptionEvent("total", 1)], { service: "orders", release: "2.0.0" });
    expect(await sendBatch(server.url, bootstrapKey, batch)).toBe(true);
    const { report } = await incidentOf(server.url, "orders");
    const said = report?.evidence.map(({ summary }) => summary).join("\n");
    expect(said).toContain(
      `was built from other commits than \`1.0.0\`; its last commit is \`${id.slice(0, 7)}\` by \`Ada\`: \`Rename total to sum\``,
    );
  });

  it("uploads the maps of a built page, for the host that serves it", async () => {
    const checkout = await newCheckout();
    await buildScript(checkout);
    const services = ["--project", "shop", "--project", "widget"];
    const prefix = ["--url-prefix", "https://shop.example/static"];
    await cli(checkout, "", "sourcemaps", "inject", "dist");
    await cli(checkout, "", "sourcemaps", "upload", ...services, "--release", "4.0.0", ...prefix, "dist");
    await reportFrom(checkout, "shop", "https://shop.example/static/shop.js?v=4");
    expect(await placeOf(server.url, "shop")).toBe("src/cart.ts:2");
    await reportFrom(checkout, "widget", "https://widget.example/static/shop.js");
    expect(await placeOf(server.url, "widget")).toMatch(/^https:\/\/widget\.example\/static\/shop\.js:/);
  });

  it("learns that it must name the service", async () => {
    const checkout = await newCheckout();
    await commit(checkout, "export const total = 1;\n", "Add totals");
    const refused = cli(checkout, "", "releases", "set-commits", "3.0.0", "--auto");
    await expect(refused).rejects.toThrow("the release has no services");
  });
});
