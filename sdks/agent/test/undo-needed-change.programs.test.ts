import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { broken, diffOf, lines, message, program, undecided, useChangedTree } from "./changed-tree.ts";

const { path: tree, write, commit, undo } = useChangedTree();

/** A test file that runs each of its tests, and says which failed. */
const tests = (...checks: readonly string[]): string =>
  checks
    .map((check) => `try {\n  ${check}\n} catch (error) { process.exitCode = 1; console.log(error.stack); }\n`)
    .join("");

describe("undoing a change that new tests need a part of", () => {
  const main = lines(30, { 3: "exports.one = () => 1;", 15: "exports.length = (rows) => rows.length;" });
  const changed = lines(30, {
    3: "exports.one = () => 1;",
    9: "exports.two = () => 2;",
    15: "exports.length = (rows) => rows.none.length;",
    27: "// another",
  });
  const old = `if (require("../main.js").length([]) !== 0) throw new Error("no");`;
  const added = `if (require("../main.js").two() !== 2) throw new Error("no");`;
  const command = [process.execPath, "test/a.test.js"];

  it("finds the lines without which the command passes, though without all of them it fails in another way", async () => {
    await commit({ "app/main.js": main, "app/test/a.test.js": tests(old) });
    await write({ "app/main.js": changed, "app/test/a.test.js": tests(old, added) });
    const { undoing, runs } = await undo({ command });
    expect(runs[0]).toBe("3 of 3 differs");
    expect(undoing).toMatchObject({ kind: "undone", undone: { places: [{ file: "main.js", line: 15 }] } });
  });

  it("doesn't take another test that fails with the same message for the failure", async () => {
    await commit({ "app/main.js": main, "app/test/a.test.js": tests(old) });
    const asMissing = `try { require("../main.js").two(); } catch { throw new Error("${message}"); }`;
    await write({ "app/main.js": changed, "app/test/a.test.js": tests(old, asMissing) });
    const { undoing, runs } = await undo({ command });
    expect(runs[0]).toBe("3 of 3 differs");
    expect(undoing).toMatchObject({ kind: "undone", undone: { places: [{ file: "main.js", line: 15 }] } });
  });

  it("doesn't say that the change is right where a new test fails without it in the same way", async () => {
    await commit({ "app/main.js": main, "app/test/a.test.js": tests(old) });
    const two = `if (require("../main.js").two?.() !== 2) throw new Error("${message}");`;
    await write({
      "app/main.js": lines(30, {
        3: "exports.one = () => 1;",
        9: "exports.two = () => 3;",
        15: "exports.length = (rows) => rows.length;",
      }),
      "app/test/a.test.js": tests(old, two),
    });
    expect((await undo({ command })).undoing).toMatchObject(undecided("what fails was changed in the tests as well"));
  });

  it("says so where a test that is older fails without it in the same way", async () => {
    const wrong = main.replace("rows.length", "rows.none.length");
    await commit({ "app/main.js": wrong, "app/test/a.test.js": tests(old) });
    await write({ "app/main.js": wrong.replace("=> 1", "=> 2"), "app/test/a.test.js": `${tests(old)}// a note\n` });
    expect((await undo({ command })).undoing).toEqual({ kind: "fails" });
  });

  it("cuts off a program that doesn't end without a part, and tries others", async () => {
    const rows = lines(30, { 3: "setImmediate(() => { while (exports.items); });", 15: "exports.rows = [];" });
    await commit({ "app/main.js": rows });
    await write({
      "app/main.js": lines(30, { 15: "exports.items = [];" }),
      "app/test/a.test.js": tests(`require("../main.js").rows.length;`),
    });
    const { undoing, runs } = await undo({ command });
    expect(undoing).toMatchObject({ kind: "undone", undone: { places: [{ file: "main.js", line: 15 }] } });
    expect(runs).toEqual(["2 of 2 passes", "1 of 2 passes"]);
  });

  it("undoes no lines of a file that has all tests", async () => {
    await commit({ "app/main.js": main, "app/tests.js": tests(old) });
    await write({ "app/main.js": changed, "app/tests.js": tests(old, added).replaceAll("../", "./") });
    const { undoing } = await undo({ command: [process.execPath, "tests.js"] });
    expect(undoing).toMatchObject({ kind: "undone", files: ["main.js"] });
  });
});

describe("undoing a change that moved a file", () => {
  const moved = { "app/main.js": `const { table } = require("./lib/table.cjs");\ntable.rows.length;\n` };

  it("finds the lines that were changed in it", async () => {
    await commit(program);
    await rm(join(tree(), "app/table.js"));
    await write({ ...moved, "app/lib/table.cjs": broken });
    const { undoing } = await undo();
    expect(undoing).toMatchObject({ kind: "undone", undone: { places: [{ file: "lib/table.cjs", line: 15 }] } });
    expect(diffOf(undoing)).toContain("-exports.table = { items: [] };\n+exports.table = { rows: [] };");
  });

  it("names the move where that makes the command fail", async () => {
    const main = `let table = {};\ntry { ({ table } = require("./table.js")); } catch {}\ntable.rows.length;\n`;
    await commit({ ...program, "app/main.js": main });
    await rm(join(tree(), "app/table.js"));
    await write({ "app/lib/table.js": program["app/table.js"] });
    expect((await undo()).undoing).toMatchObject({
      kind: "undone",
      undone: { places: [{ file: "lib/table.js", line: 1 }], diff: "" },
    });
  });
});
