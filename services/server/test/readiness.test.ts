import { diskReserve } from "@whence/storage";
import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { type Dependency, diskDependency, healthRoutes } from "../src/readiness.ts";

const works = async (): Promise<undefined> => undefined;
const away = (): Promise<undefined> =>
  Promise.reject(Object.assign(new Error("at db.internal"), { code: "WHENCE_ERR_X" }));

function appWith(dependencies: readonly Dependency[]) {
  const state = { now: 0, isStopping: false };
  const app = Fastify();
  healthRoutes(app, { dependencies, clock: () => state.now, isStopping: () => state.isStopping });
  return { app, state };
}

describe("readiness", () => {
  it("is 200 while every required dependency works", async () => {
    const { app } = appWith([{ name: "queue", check: works, required: true }]);
    const answer = await app.inject("/readyz");
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: "ready", dependencies: { queue: "ok" } }]);
  });

  it("is 503 when a required one is down, with the error's code but not its message", async () => {
    const { app } = appWith([{ name: "queue", check: away, required: true }]);
    const answer = await app.inject("/readyz");
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { status: "not-ready", dependencies: { queue: "WHENCE_ERR_X" } },
    ]);
  });

  it("stays 200 when an optional one is down, and says so", async () => {
    const { app } = appWith([
      { name: "queue", check: works, required: true },
      { name: "control", check: away, required: false },
    ]);
    const answer = await app.inject("/readyz");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: "ready", dependencies: { control: "WHENCE_ERR_X" } });
  });

  it("is 503 as soon as the process is stopping, even if everything works", async () => {
    const { app, state } = appWith([{ name: "queue", check: works, required: true }]);
    await app.inject("/readyz");
    state.isStopping = true;
    const answer = await app.inject("/readyz");
    expect([answer.statusCode, answer.json().status]).toEqual([503, "stopping"]);
    expect((await app.inject("/healthz")).statusCode).toBe(200);
  });

  it("checks once per second, even with many probes", async () => {
    let asked = 0;
    const check = async (): Promise<undefined> => {
      asked += 1;
    };
    const { app, state } = appWith([{ name: "events", check, required: true }]);
    await Promise.all(Array.from({ length: 20 }, () => app.inject("/readyz")));
    state.now = 999;
    await app.inject("/readyz");
    expect(asked).toBe(1);
    state.now = 1_000;
    await app.inject("/readyz");
    expect(asked).toBe(2);
  });

  it.each([
    [1_000_000_000, 200, "ok"],
    [999_999_999, 200, "nearly full: 999 MB free, analyses of unclaimed agents are refused"],
    [499_999_999, 200, "nearly full: 499 MB free, analyses are refused"],
    [124_999_999, 503, "full: 124 MB free, everything is refused until there is room"],
  ])("reports for a disk with %d free bytes of a reserve of 1 GB, with %d: %s", async (freeBytes, status, said) => {
    const disk = diskReserve({ reserveBytes: 1_000_000_000, freeBytes: async () => freeBytes });
    const { app } = appWith([diskDependency(disk)]);
    const answer = await app.inject("/readyz");
    expect([answer.statusCode, answer.json().dependencies]).toEqual([status, { disk: said }]);
  });
});
