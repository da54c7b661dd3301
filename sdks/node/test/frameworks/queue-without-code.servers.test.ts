import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../../test/servers/redis.ts";
import { type Programs, preparePrograms } from "../equivalence-programs.ts";
import { runPreloaded } from "./job-runs.ts";

let programs: Programs;
let redis: RedisServer;

beforeAll(async () => {
  [programs, redis] = await Promise.all([preparePrograms(), startRedis()]);
});
afterAll(async () => {
  await Promise.all([programs.remove(), redis.stop()]);
});

describe.each([
  ["bullmq-5", ["18", "20", "26"]],
  ["bullmq", ["20", "26"]],
])("a worker of %s without client code", (name, versions) => {
  it.each(versions)("reports each failed attempt once, with only its own breadcrumbs (Node %s)", async (version) => {
    const failures = await runPreloaded(programs, version, "jobs/queue.cjs", [name, String(redis.port)]);
    const attempt = (order: string) => ({
      message: `no stock of ${order}`,
      job: "ship",
      path: undefined,
      mechanism: "bullmq",
      logged: [`order ${order}`, `stock ${order}`],
    });
    expect(failures.sort((one, other) => one.message.localeCompare(other.message))).toEqual(
      ["a1", "a2", "b1", "b2"].map(attempt),
    );
  });
});
