import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { runProgram } from "../src/prove/run-program.ts";

const run = (script: string, withinMs = 86_400_000) =>
  runProgram(["sh", "-c", script], {
    ...{ cwd: tmpdir(), environment: { PATH: process.env.PATH }, onOutput: () => undefined },
    ...{ outputBytesMax: 1_000_000, withinMs, signal: new AbortController().signal },
  });

describe("a program that is run", () => {
  it("has its exit code, even while a process that it started keeps running", async () => {
    expect(await run("echo failed; sleep 3600 & exit 3")).toEqual({ code: 3, output: "failed\n", isCut: false });
  });

  it("has ended though a program in a session of its own holds its output open", async () => {
    const { code, output } = await run("setsid sleep 3600 & echo $!; exit 4");
    process.kill(Number(output.trim()), "SIGKILL");
    expect(code).toBe(4);
  });

  it("is stopped when the time is over, with what it started", async () => {
    expect((await run("sleep 3600 & sleep 3600", 1)).code).toBeNull();
  });

  it("has all of its output", async () => {
    expect((await run("head -c 900000 /dev/zero | tr '\\0' x")).output).toHaveLength(900_000);
  });

  it("says when only the end of its output was kept", async () => {
    const ended = await run("head -c 1000000 /dev/zero | tr '\\0' x");
    expect([ended.output.length, ended.isCut]).toEqual([1_000_000, false]);
    const longer = await run("head -c 1000001 /dev/zero | tr '\\0' x");
    expect([longer.output.length, longer.isCut]).toEqual([1_000_000, true]);
  });

  it("has the code of the signal that ended it", async () => {
    expect((await run("kill -TERM $$")).code).toBe(143);
  });
});
