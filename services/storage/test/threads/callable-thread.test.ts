import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { CallableThread, ThreadEnded } from "../../src/threads/index.ts";

const program = new URL("../programs/count-on-caller.ts", import.meta.url);
let thread: CallableThread<string, string, string, string>;
afterEach(() => thread.end());

function start(step: number): typeof thread {
  thread = new CallableThread({ program, data: step, execArgv: ["--conditions=@whence/source"] });
  return thread;
}

describe("a thread that answers calls", () => {
  it("answers in order, with the value it was started with", async () => {
    start(2);
    expect(await Promise.all([thread.call("count"), thread.call("count"), thread.call("count")])).toEqual([
      "2",
      "4",
      "6",
    ]);
  });

  it("rejects a call with what the thread threw, and answers the next", async () => {
    start(1);
    await expect(thread.call("throw")).rejects.toThrow("not counted");
    expect(await thread.call("count")).toBe("1");
  });

  it("calls back its caller during a call", async () => {
    const reply = async (question: string): Promise<string> => `you asked ${question}`;
    expect(await start(1).call("ask", { reply })).toBe("the caller says you asked what?");
  });

  it("rejects the call with the error of its caller's answer", async () => {
    const reply = (): Promise<string> => Promise.reject(new Error("no answer to that"));
    await expect(start(1).call("ask", { reply })).rejects.toThrow("no answer to that");
  });

  it("rejects with the error of its start", async () => {
    await expect(start(0).ready()).rejects.toThrow("a step of 0 leads nowhere");
  });

  it("rejects current and later calls when it ends", async () => {
    start(1);
    await expect(Promise.all([thread.call("exit"), thread.call("count")])).rejects.toThrow(ThreadEnded);
    expect(thread.hasEnded).toBe(true);
    await expect(thread.call("count")).rejects.toThrow("its thread ended with code 3");
  });

  it("rejects a call when its signal fires, and can be stopped in the middle of it", async () => {
    await start(1).ready();
    await expect(thread.call("hang", { signal: AbortSignal.timeout(1) })).rejects.toThrow("timeout");
    await thread.end();
    expect(thread.hasEnded).toBe(true);
  });

  it("answers pending calls before it closes", async () => {
    const answer = start(1).call("count");
    await thread.close();
    expect(await answer).toBe("1");
  });
});

describe("the processor time of a thread", () => {
  it("grows while it computes, even in an infinite loop", async () => {
    await start(1).ready();
    const hanging = thread.call("hang").catch(() => undefined);
    const before = await thread.processorMs();
    while ((await thread.processorMs()) < before + 20) await delay(1);
    await thread.end();
    await hanging;
    await expect(thread.processorMs()).rejects.toThrow(ThreadEnded);
  });

  it("is awaited until a budget is spent, or no longer wanted", async () => {
    await start(1).ready();
    const hanging = thread.call("hang").catch(() => undefined);
    const before = await thread.processorMs();
    await thread.spent(20, new AbortController().signal);
    expect(await thread.processorMs()).toBeGreaterThanOrEqual(before + 20);
    const unwanted = new AbortController();
    const spending = thread.spent(Number.MAX_SAFE_INTEGER, unwanted.signal);
    unwanted.abort();
    await expect(spending).rejects.toThrow("aborted");
    await thread.end();
    await hanging;
  });

  it("doesn't grow while it waits for its caller", async () => {
    await start(1).ready();
    const [begin, before] = [performance.now(), await thread.processorMs()];
    await thread.call("ask", { reply: () => delay(500, "later") });
    const waitedMs = performance.now() - begin;
    expect((await thread.processorMs()) - before).toBeLessThan(waitedMs / 2);
  });
});
