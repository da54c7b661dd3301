import { describe, expect, it } from "vitest";
import { diffBlock, filesOfDiff, withDiff } from "../../src/reports/patch.ts";

describe("a diff as a block of Markdown", () => {
  it("keeps an empty line at its end, which is part of the diff", () => {
    const diff = "--- a/a.js\n+++ b/a.js\n@@ -1,4 +1,4 @@\n-load();\n+await load();\n a();\n b();\n \n";
    const block = diffBlock(diff);
    const [, inside = ""] = /^```diff\n([\s\S]*)\n```$/.exec(block) ?? [];
    const [file] = filesOfDiff(`${inside}\n`);
    expect(file && withDiff("load();\na();\nb();\n\n", file.part)).toBe("await load();\na();\nb();\n\n");
  });
});
