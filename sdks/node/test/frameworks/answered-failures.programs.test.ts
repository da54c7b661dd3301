import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ending, type Programs, preparePrograms, run } from "../equivalence-programs.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { runUntilSent } from "../next-start.ts";
import { runtimeNamed } from "../runtimes.ts";

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

/** The failures that the service answers with 500, in order, with their routes. */
const failures = [
  { message: "no stock of 1", path: "/late/1", route: "/late/:id", orders: ["order 1"] },
  { message: "no price of 2", path: "/at-once/2", route: "/at-once/:id", orders: [] },
  { message: "no stock of logged", path: "/late/logged", route: "/late/:id", orders: ["order logged"] },
  { message: "no stock of 4", path: "/late/4", route: "/late/:id", orders: ["order 4"] },
];

interface Program {
  readonly framework: string;
  readonly packages: readonly string[];
  /** The file whose packages the program loads; by default its own. */
  readonly packagesOf?: string;
  readonly runtime: string;
  readonly file: string;
}

async function runPlain({ framework, packages, packagesOf = "", runtime, file }: Program): Promise<Ending> {
  const program = { runtime: runtimeNamed(runtime), file, args: [framework, ...packages] };
  return await run(programs.folder, { ...program, env: { PACKAGES_OF: packagesOf } });
}

async function runWatched(program: Program, env: Readonly<Record<string, string>> = {}): Promise<Ending> {
  const { framework, packages, packagesOf = "", runtime, file } = program;
  const [flag, preload] = runtime === "20" ? (["--require", "register.cjs"] as const) : ["--import", "register.js"];
  return await runUntilSent(programs.folder, {
    runtime: runtimeNamed(runtime),
    file,
    args: [framework, ...packages],
    flags: [flag, join(programs.folder, "sdk", preload)],
    env: { WHENCE_API_KEY: "whk_test", WHENCE_ENDPOINT: gateway.url, PACKAGES_OF: packagesOf, ...env },
  });
}

async function expectFailures(program: Program, hasRoutes: boolean): Promise<void> {
  const [plain, watched] = await Promise.all([runPlain(program), runWatched(program)]);
  expect(withoutTimers(watched)).toEqual(withoutTimers(plain));
  expect(plain.stdout).toMatch(/^GET \/late\/4 (?:500|200)$/m);
  const isLibrary = ["apollo", "trpc"].includes(program.framework);
  expect(reported()).toEqual(
    failures.map((failure) => ({
      ...failure,
      route: hasRoutes ? failure.route : undefined,
      // These capture an error before the program can log it.
      mechanism: failure.message.endsWith("logged") && !isLibrary ? "console" : program.framework,
    })),
  );
}

/** By id: on a busy machine, a batch may be answered too late and sent again. */
function reported(): object[] {
  const events = new Map(gateway.batches.flatMap((batch) => batch.events.map((event) => [event.id, event] as const)));
  return [...events.values()]
    .filter(({ type }) => type === "exception" || type === "log")
    .map(({ message, request, breadcrumbs = [], exceptions, mechanism }) => ({
      message: exceptions?.[0]?.message ?? message,
      path: request?.path,
      route: request?.route,
      orders: breadcrumbs.map((breadcrumb) => breadcrumb.message).filter((text) => text?.startsWith("order ")),
      mechanism: mechanism?.type,
    }));
}

/** Removes a timer's own calls, whose presence in a stack depends on what else was due. */
function withoutTimers({ stdout, stderr, ...ending }: Ending): object {
  const timers = /\n +at (?:runNextTicks|process\.processTimers|listOnTimeout) [^\n]*/g;
  return { ...ending, stdout: stdout.replaceAll(timers, ""), stderr: stderr.replaceAll(timers, "") };
}

const commonJs = "answers/main.cjs";
const esModule = "answers/main.mjs";
const hono = ["hono", "@hono/node-server"];
const apollo = ["@apollo/server", "@apollo/server/errors"];
const trpc = ["@trpc/server", "@trpc/server/adapters/standalone"];
const nest = ["@nestjs/core", "@nestjs/common"];

describe.each([
  ["express", ["express-4"], true, [commonJs, esModule], ["18", "20", "26"]],
  ["express", ["express"], true, [commonJs, esModule], ["18", "20", "26"]],
  ["koa", ["koa-2"], false, [commonJs, esModule], ["18", "20", "26"]],
  ["koa", ["koa"], false, [commonJs, esModule], ["18", "20", "26"]],
  ["fastify", ["fastify-4"], true, [commonJs, esModule], ["18", "20", "26"]],
  ["fastify", ["fastify"], true, [commonJs, esModule], ["20", "26"]],
  ["hono", ["hono", "hono-node-server-1"], true, [commonJs], ["18", "20", "26"]],
  ["hono", hono, true, [commonJs], ["20", "26"]],
  ["hono", hono, true, [esModule], ["22", "24", "26"]],
  ["apollo", apollo, false, [commonJs], ["20"]],
  ["apollo", apollo, false, [commonJs, esModule], ["22", "26"]],
  ["trpc", trpc, false, [commonJs], ["20"]],
  ["trpc", trpc, false, [commonJs, esModule], ["22", "26"]],
  ["nestjs", nest, true, [commonJs, esModule], ["22", "24", "26"]],
  ["nestjs", [...nest, "@nestjs/platform-fastify"], true, [commonJs, esModule], ["22", "24", "26"]],
] as const)("a program with %s (%s) that answers failures without logging them", (...program) => {
  const [framework, packages, hasRoutes, files, versions] = program;
  it.each(versions.flatMap((runtime) => files.map((file) => [runtime, file] as const)))(
    "has the same output, and each failure is one event of its request (Node %s, %s)",
    (runtime, file) => expectFailures({ framework, packages, runtime, file }, hasRoutes),
  );
});

describe("a program with NestJS 11 that answers failures without logging them", () => {
  it.each(["20", "26"])(
    "has the same output, and each failure is one event of its request (Node %s)",
    async (runtime) => {
      const packagesOf = join(import.meta.dirname, "../../../../examples/frameworks/package.json");
      await expectFailures({ framework: "nestjs", packages: nest, packagesOf, runtime, file: commonJs }, true);
    },
  );
});

describe("a program with the client preloaded", () => {
  const bare = { framework: "", packages: [], runtime: "26" };

  it("reports an error that is wrapped and rethrown once: the first, or the one logged", async () => {
    await runWatched({ ...bare, file: "answers/wraps.cjs" });
    expect(reported()).toMatchObject([
      { message: "stock is down", path: "/stock", mechanism: "express" },
      { message: "could not serve /logged: logged is down", path: "/logged", mechanism: "console" },
      { message: "printed is down", path: "/printed", mechanism: "express" },
    ]);
  });

  it.each(["18", "20", "26"])("ends the same by an unhandled promise of Koa (Node %s)", async (runtime) => {
    const program = { ...bare, runtime, file: "answers/floats.cjs" };
    expect(await runWatched(program)).toEqual(await runPlain(program));
    expect(reported()).toMatchObject([{ message: "nothing waits for this", mechanism: "unhandledRejection" }]);
  });

  it("works with a framework of an unknown version", async () => {
    const folder = join(programs.folder, "node_modules", "koa-compose");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "index.js"), 'module.exports = { version: "of the future" };');
    await writeFile(
      join(programs.folder, "future.cjs"),
      'console.log(require("koa-compose"), Object.keys(module.children[0]));',
    );
    const program = { ...bare, file: "future.cjs" };
    expect(await runWatched(program)).toEqual(await runPlain(program));
  });
});

describe("WHENCE_WATCH_SERVERS", () => {
  it("turns it off: only logged failures are reported", async () => {
    const program = { framework: "express", packages: ["express"], runtime: "26", file: commonJs };
    await runWatched(program, { WHENCE_WATCH_SERVERS: "off" });
    expect(reported().map((event) => Reflect.get(event, "mechanism"))).toEqual(["console", "console"]);
  });
});
