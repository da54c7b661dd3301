import { VendorFailure } from "@whence/vendors";
import { describe, expect, it } from "vitest";
import type { AskModel, ModelAnswer } from "../../src/questions/ask-model.ts";
import { cause, conversingInEachTest, later } from "./conversing.ts";

const our = conversingInEachTest();
const unanswered = `The report doesn't answer that: it doesn't mention "Warum".`;
const statement = {
  sentence: "Es ist kaputt.",
  citations: [{ kind: "evidence", id: "e1", excerpt: "it broke" }],
} as const;

/** Answers every question with these statements, and keeps who asked what. */
function modelWith(...statements: ModelAnswer["statements"]): { asked: string[][]; askModel: AskModel } {
  const asked: string[][] = [];
  const outcome = statements.length === 0 ? "nothing_held" : "answered";
  return {
    asked,
    askModel: async (scopeId, { id }, question) => {
      asked.push([scopeId, id, question]);
      return { model: "ollama qwen", outcome, statements, dropped: [] };
    },
  };
}
const question = { requestId: "q", question: "Warum?", at: later(60_000) };

describe("a question in a conversation with a language model", () => {
  it("is answered with the model's statement, and a bare mention isn't", async () => {
    const { askModel, asked } = modelWith(statement);
    const incidentId = await our().answered("t", askModel);
    await our().ask("t", { requestId: "again", at: later(30_000) });
    await our()
      .until(() => our().vendor.said("t").length)
      .toBe(2);
    expect(asked).toEqual([]);
    await our().ask("t", question);
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause, expect.any(String), statement.sentence]);
    expect(asked).toEqual([[our().scopeId, incidentId, "Warum?"]]);
  });

  it("is answered from the report when nothing of the model's answer holds", async () => {
    await our().answered("t", modelWith().askModel);
    await our().ask("t", question);
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause, unanswered]);
  });

  it("asks the model again for one retry only, and then answers from the report", async () => {
    const { askModel, asked } = modelWith(statement);
    await our().answered("t", askModel);
    our().vendor.fail(new VendorFailure("unavailable", "Chat answered 503"), "post");
    await our().ask("t", question);
    const posts = () => our().vendor.calls.filter((call) => call === "post").length;
    const before = posts();
    for (const attempts of [1, 2, 3]) {
      our().service.clock.now += 3_600_000;
      await our()
        .until(posts)
        .toBeGreaterThanOrEqual(before + attempts);
    }
    our().vendor.recover();
    our().service.clock.now += 3_600_000;
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause, unanswered]);
    expect(asked).toHaveLength(2);
  });
});
