import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ending, type Programs, preparePrograms } from "../equivalence-programs.ts";
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

const ids = ["31", "32", "33", "34"];

/** Runs the program with the client's middleware, or only with the client preloaded. */
function serve(start: "with middleware" | "preloaded", version: string, args: readonly string[]): Promise<Ending> {
  const sdk = join(programs.folder, "sdk");
  const program = { runtime: runtimeNamed(version), file: "bodies.cjs", args };
  return start === "preloaded"
    ? runUntilSent(programs.folder, {
        ...program,
        flags: ["--require", join(sdk, "register.cjs")],
        env: { WHENCE_API_KEY: "k", WHENCE_ENDPOINT: gateway.url },
      })
    : runUntilSent(programs.folder, {
        ...program,
        env: { WHENCE_SDK: join(sdk, "index.cjs"), WHENCE_ENDPOINT: gateway.url },
      });
}

/** Returns what arrived, in the order of the requests; by id, as what is answered too late is sent again. */
function told(): unknown[] {
  const events = new Map(gateway.events().map((event) => [event.id, event]));
  return [...events.values()]
    .filter(({ type }) => type === "log" || type === "exception")
    .map(({ message, request, breadcrumbs }) => ({
      message,
      path: request?.path,
      logged: breadcrumbs?.filter(({ category }) => category === "log").map((breadcrumb) => breadcrumb.message),
    }))
    .sort((a, b) => String(a.path).localeCompare(String(b.path)));
}

const expected = ids.map((id) => ({
  message: expect.stringContaining(`no stock of ${id}`),
  path: `/orders/${id}`,
  logged: [`order ${id}`],
}));

describe.each(["18", "20", "26"])("on Node %s", (version) => {
  it.each(["express", "express-4", "express-4-16", "multer", "busboy", "node:http", "node:http2"])(
    "a failure after %s has read a body has its request and breadcrumbs, with middleware",
    async (reader) => {
      expect(await serve("with middleware", version, [reader])).toMatchObject({ code: 0 });
      expect(told()).toEqual(expected);
    },
  );

  it.each(["express-4-16", "multer", "busboy"])(
    "a failure after %s has read a body has its request and breadcrumbs, preloaded",
    async (reader) => {
      expect(await serve("preloaded", version, [reader])).toMatchObject({ code: 0 });
      expect(told()).toEqual(expected);
    },
  );

  it.each(["express", "express-4", "express-4-16"])("a malformed body in %s isn't a failure", async (framework) => {
    const { code, stderr } = await serve("with middleware", version, [framework, '{"sku":']);
    expect([code, stderr]).toEqual([0, expect.stringContaining("SyntaxError")]);
    expect(told()).toEqual([]);
  });
});
