import { describe, expect, it } from "vitest";
import { UsedTokens } from "../../src/model-run/used-tokens.ts";

const reported = (inputTokens?: number, outputTokens?: number) => ({ inputTokens, outputTokens });

describe("the tokens of a run", () => {
  it("are what its server reported", () => {
    const used = new UsedTokens();
    used.ask(4_000);
    used.answer(reported(900, 20), 400);
    used.ask(8_000);
    used.answer(reported(1_800, 30), 400);
    expect(used.total).toEqual({ inputTokens: 2_700, outputTokens: 50 });
  });

  it.each([
    ["nothing", undefined],
    ["zero", 0],
    ["less than zero", -5_000],
    ["no number", Number.NaN],
  ])("are estimated when its server reports %s", (_what, tokens) => {
    const used = new UsedTokens();
    used.ask(4_000);
    used.answer(reported(tokens, tokens), 401);
    expect(used.total).toEqual({ inputTokens: 1_000, outputTokens: 101 });
  });

  it("are estimated from the request on, until its answer comes", () => {
    const used = new UsedTokens();
    used.ask(4_000);
    expect(used.total).toEqual({ inputTokens: 1_000, outputTokens: 0 });
    used.ask(8_000);
    expect(used.total).toEqual({ inputTokens: 3_000, outputTokens: 0 });
  });

  it("leave out a request that was rejected", () => {
    const used = new UsedTokens();
    used.ask(4_000);
    used.answer(reported(900, 20), 400);
    used.ask(8_000);
    used.reject();
    expect(used.total).toEqual({ inputTokens: 900, outputTokens: 20 });
  });
});
