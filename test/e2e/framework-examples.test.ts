import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { afterEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../../sdks/node/test/gateway.ts";
import { eventually } from "../../sdks/node/test/polling.ts";
import { readRepositoryFile, root } from "../repository-files.ts";

const examples = "examples/frameworks";
const folder = join(root, examples);
const bin = join(folder, "node_modules/.bin");

/** An example program, its output so far, and its gateway. */
interface Running {
  readonly child: ChildProcess;
  readonly gateway: TestGateway;
  printed(): string;
}

let running: Running[] = [];

afterEach(async () => {
  for (const { child, gateway } of running) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "close");
    }
    await gateway.close();
  }
  running = [];
});

/** Starts a program in the examples' folder. */
async function start(command: string, args: readonly string[], cwd = folder): Promise<Running> {
  const gateway = await startGateway();
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const service = { WHENCE_API_KEY: "k", WHENCE_ENDPOINT: gateway.url };
  const child = spawn(command, args, {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, NEXT_TELEMETRY_DISABLED: "1", ...service },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const read = (chunk: Buffer): void => {
    text += chunk;
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const program = { child, gateway, printed: () => text };
  running.push(program);
  return program;
}

const node = (...args: readonly string[]): Promise<Running> =>
  start(process.execPath, ["--conditions=@whence/source", ...args]);

/** Returns the address that a program has printed. */
async function addressOf({ printed }: Running): Promise<string> {
  return await eventually(() => /http:\/\/localhost:\d+/.exec(printed())?.[0]);
}

/** Returns the first error that arrives; a batch is sent within five seconds. */
async function firstError({ gateway }: Running): Promise<unknown> {
  return await eventually(() => gateway.events("exception")[0]);
}

/** Compiles a file, because Node doesn't support decorators. */
async function compiled(file: string): Promise<string> {
  const { outputText } = ts.transpileModule(readRepositoryFile(`${examples}/${file}`), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, experimentalDecorators: true },
  });
  const path = join(folder, ".types", file.replace(/\.ts$/, ".mjs"));
  await mkdir(join(folder, ".types"), { recursive: true });
  await writeFile(path, outputText.replace('"./orders.ts"', '"../orders.ts"'));
  return path;
}

describe("the example for", () => {
  it("each framework reports its route's error", async () => {
    const names = ["express", "fastify", "koa", "hapi", "hono", "http", "nestjs"];
    // In parallel: each waits up to five seconds for its batch.
    const errors = await Promise.all(
      names.map(async (name) => {
        const program = await node(name === "nestjs" ? await compiled("nestjs.ts") : `${name}.ts`);
        const response = await fetch(`${await addressOf(program)}/orders/31?token=abc`);
        expect(response.status, name).toBe(500);
        return await firstError(program);
      }),
    );
    const expected = names.map((name) => ({
      message: "no order 31",
      mechanism: { type: name === "http" ? "captureException" : name, handled: true },
      request: {
        method: "GET",
        path: "/orders/31",
        ...(name === "http" ? {} : { route: name === "hapi" ? "/orders/{id}" : "/orders/:id" }),
      },
    }));
    expect(errors).toMatchObject(expected);
  });

  it("jobs reports each failed job", async () => {
    const { child, printed, gateway } = await node("jobs.ts");
    expect(await once(child, "close")).toEqual([0, null]);
    expect(printed()).toBe("rejected rejected\n");
    expect(gateway.events("exception")).toMatchObject([
      { message: "no order 31", attributes: { job: "ship-order" }, breadcrumbs: [{ message: "31" }] },
      { message: "no order 32", attributes: { job: "ship-order" }, breadcrumbs: [{ message: "32" }] },
    ]);
  });

  it("Lambda has sent its error when the invocation ends", async () => {
    const event = { rawPath: "/orders/31", pathParameters: { id: "31" }, requestContext: { http: { method: "GET" } } };
    const invoke = `import("./lambda.ts").then(({ handler }) => handler(${JSON.stringify(event)})).catch(() => process.kill(process.pid, "SIGKILL"))`;
    const { child, gateway } = await node("--eval", invoke);
    expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
    expect(gateway.events("exception")).toMatchObject([
      { message: "no order 31", mechanism: { type: "lambda" }, request: { method: "GET", path: "/orders/31" } },
    ]);
  });

  it("Next.js reports the errors of a route handler, a page, and the old router, each with its own breadcrumbs", async () => {
    const app = join(folder, "nextjs");
    const build = await start(join(bin, "next"), ["build"], app);
    expect(await once(build.child, "close"), build.printed()).toEqual([0, null]);
    const server = await start(join(bin, "next"), ["start", "--port", "0"], app);
    const { gateway } = server;
    const base = await addressOf(server);
    // The server answers its first request after the client has been registered.
    expect((await fetch(`${base}/nowhere`)).status).toBe(404);
    const paths = ["/api/orders/31?x=1", "/api/orders/32", "/orders/33", "/api/legacy"];
    const answers = await Promise.all(paths.map((path) => fetch(base + path)));
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
    const told = await eventually(() => gateway.events("exception").length === 4 && gateway.events("exception"));
    const seen = told.map(({ message, mechanism, request, breadcrumbs = [] }) => ({
      message,
      mechanism: mechanism.type,
      path: request?.path,
      route: request?.route,
      breadcrumbs: breadcrumbs.map((breadcrumb) => breadcrumb.message),
    }));
    const mechanism = "nextjs";
    const order = (id: string): object => ({
      message: `no stock of ${id}`,
      mechanism,
      path: `/api/orders/${id}`,
      route: "/api/orders/[id]",
      breadcrumbs: [id],
    });
    expect(seen.sort((a, b) => (a.path ?? "").localeCompare(b.path ?? ""))).toEqual([
      { message: "the old way is closed", mechanism, path: "/api/legacy", route: "/api/legacy", breadcrumbs: [] },
      order("31"),
      order("32"),
      { message: "no order 33", mechanism, path: "/orders/33", route: "/orders/[id]", breadcrumbs: [] },
    ]);
  });
});

describe("the examples", () => {
  it("are listed on their page", async () => {
    const page = await readFile(join(folder, "README.md"), "utf8");
    for (const name of ["express", "fastify", "koa", "hapi", "nestjs", "hono", "http", "jobs", "lambda"]) {
      expect(page).toContain(`[${name}.ts](${name}.ts)`);
    }
  });
});
