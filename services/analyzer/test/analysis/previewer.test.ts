import { afterAll, describe, expect, it } from "vitest";
import { openPreviewer, waitingPerScopeMax } from "../../src/analysis/previewer.ts";

const execArgv = ["--conditions=@whence/source"];
const previewer = openPreviewer({ execArgv, processorMs: 100_000 });
afterAll(() => previewer.close());

describe("the previewer", () => {
  it("reads one text after the other and answers each caller", async () => {
    const asked = ["RangeError: a\n    at a (a.js:1:1)", "words"].map((text) =>
      previewer.preview({ error_log: text }, "org_a"),
    );
    expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(["error", "text"]);
  });

  it("doesn't count the start of its thread, which takes long on a busy machine", async () => {
    const limitMs = 3_000;
    const start = `const spent = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
      while (spent() <= ${limitMs});`;
    const slow = openPreviewer({
      execArgv: [...execArgv, `--import=data:text/javascript,${start}`],
      processorMs: limitMs,
    });
    expect(await slow.preview({ error_log: "E" }, "org_a")).toMatchObject({ headline: "E" });
    await slow.close();
  });

  it("gives up on a text that takes too long, and reads the next in another thread", async () => {
    const impatient = openPreviewer({ execArgv, processorMs: 1 });
    // Its reading takes some 400 ms of processor time.
    const long = { error_log: "panic: x\n".repeat(20_000) };
    await expect(impatient.preview(long, "org_a")).rejects.toMatchObject({
      ...{ code: "WHENCE_ERR_PREVIEW_UNAVAILABLE", status: 503 },
    });
    await expect(impatient.preview(long, "org_a")).rejects.toMatchObject({ status: 503 });
    await impatient.close();
    expect(await previewer.preview({ error_log: "E" }, "org_a")).toMatchObject({ headline: "E" });
  });

  it("lets 4 texts of a scope wait, and 16 of all, and refuses one more at once", async () => {
    const asked = ["a", "b", "c", "d", "e"].flatMap((scope) =>
      Array.from({ length: waitingPerScopeMax + 1 }, () => previewer.preview({ error_log: "E" }, scope)),
    );
    const outcomes = (await Promise.allSettled(asked)).map(({ status }) => status === "fulfilled");
    const ofScope = [true, true, true, true, false];
    expect(outcomes).toEqual([...ofScope, ...ofScope, ...ofScope, ...ofScope, false, false, false, false, false]);
  });

  it("takes scopes in turn, even when one has many texts waiting", async () => {
    const read: string[] = [];
    const ask = (scope: string) => previewer.preview({ error_log: "E" }, scope).then(() => read.push(scope));
    await Promise.all([...Array.from({ length: waitingPerScopeMax }, () => ask("noisy")), ask("quiet")]);
    expect(read.indexOf("quiet")).toBeLessThanOrEqual(2);
  });

  it("reads texts of unclaimed agents separately, so no organization waits for them", async () => {
    const own = openPreviewer({ execArgv, processorMs: 100_000 });
    const read: string[] = [];
    const ask = (scope: string, text: string) => own.preview({ error_log: text }, scope).then(() => read.push(scope));
    await Promise.all([ask("org_a", "E"), ask("agt_a", "E")]);
    // As many as may wait at all: in a line with them, the organization's text would be refused.
    const waiting = ["agt_a", "agt_b", "agt_c", "agt_d"].flatMap((agent) =>
      Array.from({ length: waitingPerScopeMax }, () => ask(agent, "panic: x\n".repeat(500))),
    );
    await Promise.all([...waiting, ask("org_a", "E")]);
    // Each of theirs is asked after the one before is answered, so a slow machine changes nothing in the order.
    expect(read).toHaveLength(2 + waiting.length + 1);
    expect(read.at(-1)).toMatch(/^agt_/);
    await own.close();
  });
});
