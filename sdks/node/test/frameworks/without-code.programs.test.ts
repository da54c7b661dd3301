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

const ids = ["31", "32", "33", "34"];

describe.each([
  ["node:http", undefined, ["18", "20", "26"]],
  ["express-4", "/orders/:id", ["18", "20", "26"]],
  ["express", "/orders/:id", ["18", "20", "26"]],
  ["koa", undefined, ["18", "20", "26"]],
] as const)("a program with %s and the client only preloaded", (framework, route, versions) => {
  it.each(versions)(
    "has the same output, and each event has its request and breadcrumbs (Node %s)",
    async (version) => {
      const program = { runtime: runtimeNamed(version), file: "serves.cjs", args: [framework] };
      const plain = await run(programs.folder, program);
      const flags = [
        version === "20" ? "--require" : "--import",
        join(programs.folder, "sdk", version === "20" ? "register.cjs" : "register.js"),
      ];
      const env = { WHENCE_API_KEY: "whk_test", WHENCE_ENDPOINT: gateway.url };
      const watched = await runUntilSent(programs.folder, { ...program, flags, env });
      expect(sorted(watched)).toEqual(sorted(plain));
      const events = gateway.events("log").map(({ message, request, breadcrumbs }) => ({
        message: message.split("\n")[0],
        path: request?.path,
        route: request?.route,
        logged: breadcrumbs?.filter(({ category }) => category === "log").map((breadcrumb) => breadcrumb.message),
      }));
      expect(events.sort((a, b) => String(a.path).localeCompare(String(b.path)))).toEqual(
        ids.map((id) => ({
          message: expect.stringContaining(`no stock of ${id}`),
          path: `/orders/${id}`,
          route,
          logged: [`order ${id}`],
        })),
      );
    },
  );
});

/** Sorts output: concurrent requests print in any order. */
function sorted({ stdout, stderr, ...ending }: Ending): object {
  return { ...ending, stdout: stdout.split("\n").sort(), stderr: stderr.split("\n").sort() };
}
