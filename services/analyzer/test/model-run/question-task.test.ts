import type { SourceFiles } from "@whence/engine";
import { describe, expect, it } from "vitest";
import { CaseFiles } from "../../src/model-run/case-files.ts";
import { questionTask } from "../../src/model-run/question-task.ts";
import { reportWith } from "../ended-report.ts";

const line = "return cache.get(id);";
const tree: SourceFiles = {
  paths: async () => ["src/load.js"],
  read: async () => ({ outcome: "read", text: `${line}\n`, version: "1" }),
};
const asked = { question: "why?", report: reportWith({}), preferences: "", modelCase: null };
const answerWith = (excerpt: string) =>
  questionTask(asked, new CaseFiles([], tree)).read(
    {
      statements: [
        { sentence: "It reads the `cache`.", citations: [{ file: "src/load.js", from: 1, to: 1, excerpt }] },
      ],
    },
    (text) => text,
  );

describe("an answer that quotes code that the model didn't open", () => {
  it("is kept where the tree has the quote, and dropped where it doesn't", async () => {
    expect(await answerWith(line)).toMatchObject({ statements: [{ citations: [{ excerpt: line }] }], dropped: [] });
    expect(await answerWith("return db.get(id);")).toMatchObject({ statements: [], dropped: ["quote-missing"] });
  });
});
