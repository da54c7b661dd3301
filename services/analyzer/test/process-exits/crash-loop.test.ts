import { secondMs } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import { describe, expect, it } from "vitest";
import { type Beat, memory, watchedInEachTest } from "./watched-processes.ts";

const our = watchedInEachTest();
const { beat, look, opened, pulse, rules, said } = our;
describe("a service in a crash loop", () => {
  const minute = 60 * secondMs;
  /** A process that sent telemetry for 20 seconds from then on. */
  const round = (instance: string, ms: number, changes: Beat = {}, mib = 100) => [
    beat(instance, ms, memory(100), changes),
    beat(instance, ms + 20 * secondMs, memory(mib), changes),
  ];
  const onHost = (name: string): Beat => ({
    host: { name, pid: 1, runtime: { name: "node", version: "26" }, os: "linux", arch: "x64" },
  });
  const looked = async (...rounds: StoredEvent[][]) => {
    await our.service.events.insert(rounds.flat());
    await look();
    return [(await opened()).map(({ kind }) => kind), await rules()];
  };
  const reported = async () => {
    const [incident] = await our.service.control.scope(our.scope).incidents.list({ limit: 1 });
    const input = await our.service.control.scope(our.scope).incidents.input(incident?.id ?? "");
    return { title: incident?.title, ...(input?.kind === "process-exit" ? input.exit : undefined) };
  };

  it("is one incident with every round from the third one on, and later rounds join it", async () => {
    const two = [round("a", -10 * minute), round("b", -9 * minute)];
    expect(await looked(...two)).toEqual([[], ["short-lived"]]);
    expect(await looked(round("c", -6 * minute))).toEqual([["killed"], ["new-failure", "short-lived"]]);
    expect(await reported()).toMatchObject({
      title: "orders keeps stopping and restarting",
      processes: [{ instance: "a" }, { instance: "b" }, { instance: "c", readings: [{}, {}] }],
    });
    our.service.clock.now += 2 * minute;
    await pulse(-7_200 * secondMs);
    await look();
    expect(await looked(round("d", -5 * minute))).toEqual([["killed"], ["known-failure", "short-lived"]]);
  });

  it("ran out of memory when one of the rounds says so", async () => {
    const rounds = [round("a", -10 * minute), round("b", -8 * minute, {}, 490), round("c", -6 * minute)];
    const [kinds] = await looked(...rounds);
    expect(kinds).toEqual(["out-of-memory"]);
  });

  it("isn't one when its rounds are further apart than a quarter of an hour", async () => {
    const from = (ms: number) => [round("a", ms), round("b", -9 * minute), round("c", -6 * minute)];
    const quarter = -6 * minute + 20 * secondMs - 15 * minute;
    expect(await looked(...from(quarter - 1))).toEqual([[], ["short-lived"]]);
    our.takeOtherScope();
    expect((await looked(...from(quarter)))[0]).toEqual(["killed"]);
  });

  it("isn't one when one of three lived for a minute, which gets its own incident", async () => {
    const longer = [beat("b", -9 * minute, memory(100)), beat("b", -8 * minute, memory(100))];
    await looked(round("a", -10 * minute), longer, round("c", -6 * minute));
    expect(await reported()).toMatchObject({ title: "orders stopped without shutting down: likely killed" });
  });

  it.each<[string, () => StoredEvent[][]]>([
    [
      "jobs end in order",
      () => ["a", "b", "c"].map((id, index) => [beat(id, -(10 - 2 * index) * minute, {}), exit(id, index)]),
    ],
    ["one of the three ended in order", () => [round("a", -10 * minute), told("b", "exit"), round("c", -6 * minute)]],
    [
      "one of the three reported what ended it",
      () => [round("a", -10 * minute), told("b", "exception"), round("c", -6 * minute)],
    ],
    ["replicas start together", () => ["a", "b", "c"].map((id) => round(id, -10 * minute, onHost(id)))],
    [
      "a batch of jobs starts within one delivery, and each is heard once",
      () => ["a", "b", "c"].map((id, index) => [beat(id, -10 * minute + 4_999 * index, memory(100))]),
    ],
    [
      "jobs run on a machine of their own each",
      () => ["a", "b", "c"].map((id, index) => round(id, -(10 - 2 * index) * minute, onHost(id))),
    ],
    [
      "another release is started meanwhile",
      () => [
        ...[round("a", -10 * minute, { release: "1" }), round("b", -8 * minute, { release: "1" })],
        ...[round("c", -6 * minute, { release: "1" }), [beat("new", -7 * minute, memory(1), { release: "2" })]],
        [beat("new", -1_000, memory(1), { release: "2" })],
      ],
    ],
    [
      "each round is another release",
      () => ["1", "2", "3"].map((release, index) => round(release, -(10 - 2 * index) * minute, { release })),
    ],
  ])("isn't one when %s", async (_what, rounds) => {
    expect((await looked(...rounds()))[0]).toEqual([]);
  });

  it("is one, also with a machine for each process, when the service is known to live longer; its older release may go on", async () => {
    const old = { ...onHost("old"), release: "1" };
    const rounds = ["a", "b", "c"].map((id, index) =>
      round(id, -(10 - 2 * index) * minute, { ...onHost(id), release: "2" }),
    );
    const alive = [beat("old", -12 * minute, memory(100), old), beat("old", -1_000, memory(100), old)];
    const next = [beat("d", -5_000, memory(100), { ...onHost("d"), release: "2" })];
    expect((await looked(alive, ...rounds, next))[0]).toEqual(["killed"]);
    expect(await reported()).toMatchObject({ othersReporting: 1 });
  });

  const exit = (instance: string, index: number) =>
    said(instance, -(10 - 2 * index) * minute + 20 * secondMs, { event: { type: "exit" } });
  const told = (instance: string, type: "exit" | "exception") => [
    beat(instance, -8 * minute, memory(100)),
    said(instance, -8 * minute + 20 * secondMs, {
      event: { type, level: "critical", mechanism: { type: "uncaughtException", handled: false } },
    }),
  ];
});
