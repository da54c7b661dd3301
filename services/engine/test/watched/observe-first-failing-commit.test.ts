import type { FirstFailingCommit } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigate } from "../../src/investigate.ts";

const main = "// a note\nconst table = { items: [] };\nfunction count() {\n  return table.rows.length;\n}\ncount();\n";
const errorLog =
  "TypeError: Cannot read properties of undefined (reading 'length')\n    at count (/srv/app/main.cjs:4:21)\n";
const diffOf = (path: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -2,1 +2,1 @@\n-const table = { rows: [] };\n+const table = { items: [] };\n`;
const commit = { id: "1".repeat(40), author: "Ada", subject: "Rename rows", at: "2026-03-01T09:40:00.000Z" };

async function found(since: Partial<FirstFailingCommit>) {
  const observed = { runs: [], since: { commit, good: "v1.4.0", diff: diffOf("main.cjs"), ...since } };
  const { evidence, detailed_analysis: analysis } = await investigate(
    {
      incident: { id: "inc_1", service: null, env: null, fingerprint: null },
      input: { kind: "text", errorLog, files: [{ name: "main.cjs", content: main }], observed },
    },
    { clock: Date.now, onStep: async () => undefined },
    new AbortController().signal,
  );
  const one = evidence.find(({ source }) => source.name === "first failing commit");
  return { summary: one?.summary, excerpt: one?.excerpt, isTold: analysis.includes(one?.summary ?? "nothing") };
}
const began = "The command passes at `v1.4.0`, and fails since commit `1111111` by `Ada`: `Rename rows`";

describe("the commit with which a command began to fail", () => {
  it("is evidence with what it changed, and the first of its lines in the code of the failure", async () => {
    const { summary, excerpt, isTold } = await found({});
    expect(summary).toBe(`${began}, which changed \`main.cjs:2\``);
    expect(excerpt).toContain("+const table = { items: [] };");
    expect(isTold).toBe(true);
  });

  it("is found by its path in the repository, where the program is in a folder of it", async () => {
    expect((await found({ diff: diffOf("app/main.cjs") })).summary).toContain("which changed `main.cjs:2`");
  });

  it.each([
    ["changed none of the code that was read", diffOf("other.cjs")],
    ["has a diff that was cut", diffOf("main.cjs").slice(0, -40)],
    ["has no diff", ""],
    ["has something else for one", "@@ -1,99 +1,99 @@\n".repeat(50)],
  ])("is evidence as well when it %s", async (_, diff) => {
    expect((await found({ diff })).summary).toContain(began);
  });

  it("is quoted up to 4,000 characters of it", async () => {
    const { excerpt } = await found({ diff: `${diffOf("main.cjs")}${"+x\n".repeat(5_000)}` });
    expect(excerpt).toHaveLength(4_000);
  });
});
