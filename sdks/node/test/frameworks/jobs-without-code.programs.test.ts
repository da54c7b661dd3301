import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Programs, preparePrograms } from "../equivalence-programs.ts";
import { runPreloaded } from "./job-runs.ts";

let programs: Programs;

beforeAll(async () => {
  programs = await preparePrograms();
});
afterAll(() => programs.remove());

describe.each(["22", "24", "26"])("a program with NestJS 12 without client code (Node %s)", (version) => {
  it("reports each failed run of a scheduled task once, with only its own breadcrumbs", async () => {
    const failures = await runPreloaded(programs, version, "jobs/tasks.mjs");
    const task = (job: string, message: string, ...logged: string[]) => ({
      message,
      job: `Tasks.${job}`,
      path: undefined,
      mechanism: "nestjs",
      logged,
    });
    expect(failures.sort(byText)).toEqual(
      [
        task("late", "no stock of a", "order a", "stock a"),
        task("alsoLate", "no stock of b", "order b", "stock b"),
        task("atOnce", "Cannot read properties of null (reading 'price')", "order c"),
        task("often", "the shop is closed", "order d1"),
        task("often", "the shop is closed", "order d2"),
        task("asked", "no stock of e", "order e", "stock e"),
        {
          message: "could not wait",
          job: undefined,
          path: "/ask",
          mechanism: "console",
          logged: ["order of the request", "has begun"],
        },
      ].sort(byText),
    );
  });

  it("reports each message whose handler fails once, and no response to its sender", async () => {
    const failures = await runPreloaded(programs, version, "jobs/messages.mjs");
    const message = (job: string, text: string, ...logged: string[]) => ({
      message: text,
      job,
      path: undefined,
      mechanism: "nestjs",
      logged,
    });
    expect(failures.sort(byText)).toEqual([
      { message: "closed for today", job: undefined, path: undefined, mechanism: "console", logged: [] },
      message("sold", "no price of d"),
      message("take", "no stock of a", "order a", "stock a"),
      message("take", "no stock of b", "order b", "stock b"),
      message('{"watch":"stock"}', "no stock of c", "order c", "stock c"),
      message("take", "no stock of e", "order e", "stock e"),
    ]);
  });
});

interface Failure {
  readonly message: string;
  readonly logged: readonly string[];
}

function byText(one: Failure, other: Failure): number {
  return `${one.message}${one.logged}`.localeCompare(`${other.message}${other.logged}`);
}
