import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

describe("a promise", () => {
  const forgotten = async (text: string): Promise<object[]> =>
    ofKind(
      await signalsIn({ "a.js": `async function save() {}\n${text}` }, "Error: x", "f (/srv/b.js:1:1)"),
      "missing-await",
    );

  it.each([
    ["function f() {\n  save();\n}", "forgotten", 3],
    ["function f() {\n  const s = save();\n  return s.id;\n}", "as-value", 3],
    ["function f() {\n  return save().id;\n}", "as-value", 3],
    ["rows.forEach(async (row) => {\n  await save(row);\n});", "in-callback", 2],
  ])("that isn't awaited is found: %s", async (text, how, line) => {
    expect(await forgotten(text)).toMatchObject([{ line, args: { how } }]);
  });

  it.each([
    "async function f() {\n  await save();\n}",
    "function f() {\n  return save();\n}",
    "function f() {\n  save().catch(report);\n}",
    "function f() {\n  void save();\n}",
    "const f = () => save();",
    "async function f() {\n  const s = save();\n  await s;\n}",
    "async function f() {\n  await Promise.all([save(), save()]);\n}",
  ])("that is awaited isn't named: %s", async (text) => {
    expect(await forgotten(text)).toEqual([]);
  });
});
