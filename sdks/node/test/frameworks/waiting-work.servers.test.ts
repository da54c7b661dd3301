import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { type MysqlServer, startMysqlServer } from "../databases/mysql-server.ts";
import { type Ending, type Programs, preparePrograms, run } from "../equivalence-programs.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { runUntilSent } from "../next-start.ts";
import { runtimeNamed } from "../runtimes.ts";

let programs: Programs;
let mysql: MysqlServer;
let postgres: PostgresServer;
let gateway: TestGateway;

beforeAll(async () => {
  [programs, mysql, postgres] = await Promise.all([preparePrograms(), startMysqlServer(), startPostgres()]);
});
beforeEach(async () => {
  gateway = await startGateway();
  return () => gateway.close();
});
afterAll(async () => {
  mysql.close();
  await Promise.all([programs.remove(), postgres.stop()]);
});

const ids = [..."abcdef"];
const oldAndNew = ["18", "20", "26"];

describe.each([
  ["fastq", oldAndNew],
  ["fastq.promise", oldAndNew],
  ["p-queue-6", oldAndNew],
  ["p-queue", ["24", "26"]],
  ["p-limit-3", oldAndNew],
  ["async.queue", oldAndNew],
  ["generic-pool", oldAndNew],
  ["mysql query", oldAndNew],
  ["mysql connection", oldAndNew],
  ["mysql rows", oldAndNew],
  ["mysql2 query", oldAndNew],
  ["mysql2 connection", oldAndNew],
  ["mysql2 rows", oldAndNew],
  ["pg query", oldAndNew],
  ["pg connection", oldAndNew],
  ["pg query of a connection", oldAndNew],
  ["pg rows", oldAndNew],
  ["pg cursor", oldAndNew],
])("waiting work in %s", (place, versions) => {
  it.each(versions)("has its own request and breadcrumbs, and the same output (Node %s)", async (version) => {
    const args = [place, String(mysql.port), postgres.url];
    const program = { runtime: runtimeNamed(version), file: "waits.cjs", args };
    const plain = sorted(await run(programs.folder, program));
    const flags = ["--require", join(programs.folder, "sdk", "register.cjs")];
    const env = { WHENCE_API_KEY: "k", WHENCE_ENDPOINT: gateway.url };
    expect(sorted(await runUntilSent(programs.folder, { ...program, flags, env }))).toEqual(plain);
    const told = gateway.events("log").map(({ message, request, breadcrumbs }) => ({
      message: message.split("\n", 1)[0],
      path: request?.path,
      logged: breadcrumbs
        ?.filter(({ category }) => category === "log")
        .map((breadcrumb) => breadcrumb.message?.slice(0, "order a".length)),
    }));
    const own = (id: string, message: unknown) => ({ message, path: `/${id}`, logged: [`order ${id}`, `turn ${id}`] });
    const expected = ids.flatMap((id) => [
      own(id, `no price of ${id}`),
      own(id, expect.stringContaining(`no stock of ${id}`)),
    ]);
    expect(told.sort((a, b) => `${a.path}${a.message}`.localeCompare(`${b.path}${b.message}`))).toEqual(expected);
  });
});

describe.each(oldAndNew)("on Node %s", (version) => {
  it.each([
    "fastq",
    "async.queue",
    "pg query",
    "pg connection",
    "mysql query",
    "mysql connection",
    "mysql2 connection",
  ])("an error thrown out of %s belongs to the request that waited, and ends the program as usual", async (place) => {
    const args = [place, String(mysql.port), postgres.url, "thrown"];
    const program = { runtime: runtimeNamed(version), file: "waits.cjs", args };
    const plain = ended(await run(programs.folder, program));
    const flags = ["--require", join(programs.folder, "sdk", "register.cjs")];
    const env = { WHENCE_API_KEY: "k", WHENCE_ENDPOINT: gateway.url };
    expect(ended(await runUntilSent(programs.folder, { ...program, flags, env }))).toEqual(plain);
    // Simultaneous requests arrive in any order; the message says which was second.
    const [thrown, ...others] = gateway.events("exception");
    expect(others).toEqual([]);
    const [, id] = /^no stock of (\w)$/.exec(thrown?.message ?? "") ?? [];
    expect(thrown).toMatchObject({ level: "critical", request: { path: `/${id}` } });
  });
});

/** Returns how a program ended, and its output for the fatal error, whichever request was second. */
function ended(ending: Ending): object {
  const { stdout: _stdout, stderr, ...end } = ending;
  const printed = stderr.slice(stderr.indexOf("if (isThrown")).replaceAll(/no stock of \w/g, "no stock");
  return sorted({ ...end, stdout: "", stderr: printed });
}

/**
 * Sorts output: simultaneous requests print in any order, and Node's own calls depend on what else was due, and on
 * whether there is a context.
 */
function sorted({ stdout, stderr, ...ending }: Ending): object {
  const calls = /\n +at (?:[\w.]+ \()?node:(?:async_hooks|internal\/(?:async_hooks|timers|process\/task_queues)):.*/g;
  return { ...ending, stdout: stdout.split("\n").sort(), stderr: stderr.replaceAll(calls, "").split("\n").sort() };
}
