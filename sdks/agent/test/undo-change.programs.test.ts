import { readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { broken, diffOf, lines, message, program, undecided, useChangedTree } from "./changed-tree.ts";

const { folder, path: tree, copies, git, write, commit, undo } = useChangedTree();

describe("undoing what isn't committed", () => {
  it("finds the lines without which the command passes", async () => {
    await commit(program);
    await write({ "app/table.js": broken, "app/notes.js": "// new\n" });
    const { undoing, runs } = await undo();
    expect(undoing).toMatchObject({ kind: "undone", files: ["table.js"], undone: { commit: null, before: null } });
    expect(diffOf(undoing)).toContain("-exports.table = { items: [] };\n+exports.table = { rows: [] };");
    expect(diffOf(undoing)).toMatch(/^--- a\/table\.js\n\+\+\+ b\/table\.js\n@@ -12,7 \+12,7 @@\n/);
    expect(diffOf(undoing)).not.toContain("another");
    expect(undoing).toMatchObject({ undone: { places: [{ file: "table.js", line: 15 }] } });
    expect(runs[0]).toBe("4 of 4 passes");
    expect(runs.at(-1)).toMatch(/^1 of 4 /);
  });

  it("begins with the lines near those that are suspected", async () => {
    await commit(program);
    await write({ "app/table.js": broken, "app/notes.js": "// new\n" });
    const suspects = [
      { file: "main.js", line: 2 },
      { file: "table.js", line: 21 },
    ];
    const { undoing, runs } = await undo({ suspects });
    expect(undoing).toMatchObject({ undone: { places: [{ file: "table.js", line: 15 }] } });
    expect(runs).toEqual(["4 of 4 passes", "2 of 4 passes", "1 of 4 passes"]);
  });

  it("counts the tests with the change and without it", async () => {
    const counting = (passed: number) => `console.log("# pass ${passed}\\n# fail " + (4 - ${passed}));\n`;
    await commit({ "app/main.js": counting(4) });
    await write({ "app/main.js": `${counting(3)}throw new Error("${message}");\n` });
    expect((await undo()).undoing).toMatchObject({
      undone: { before: { passed: 3, failed: 1 }, after: { passed: 4, failed: 0 } },
    });
  });

  it("decides nothing where fewer tests pass without it", async () => {
    const counting = (passed: number) => `console.log("# pass ${passed}\\n# fail 0");\n`;
    await commit({ "app/main.js": counting(2) });
    await write({ "app/main.js": `${counting(3).trim()} throw new Error("${message}");\n` });
    expect((await undo()).undoing).toMatchObject(undecided("something else fails without it"));
  });

  it("keeps parts together that the command needs together", async () => {
    await commit({ ...program, "app/names.js": lines(30, { 9: `exports.name = "rows";` }) });
    const main = `const { table } = require("./table.js");\ntable[require("./names.js").name].length;\n`;
    await commit({ "app/main.js": main });
    // Both sides of the rename are needed: with one undone, another name is missing.
    await write({
      "app/names.js": lines(30, { 9: `exports.name = "cells";` }),
      "app/table.js": lines(30, { 15: "exports.table = { items: [] };" }),
    });
    const { undoing } = await undo();
    expect(undoing).toMatchObject({ kind: "undone", files: ["names.js", "table.js"] });
  });

  it("tells lines apart that were changed one below the other", async () => {
    await commit(program);
    const changed = { 14: "// another", 15: "exports.table = { items: [] };", 16: "// another" };
    await write({ "app/table.js": lines(30, changed) });
    const diff = diffOf((await undo()).undoing);
    expect(diff).toContain(
      " // another\n-exports.table = { items: [] };\n+exports.table = { rows: [] };\n // another\n",
    );
  });

  it("finds a file that was removed", async () => {
    await commit(program);
    await rm(join(tree(), "app/table.js"));
    // Node.js takes this one instead.
    await write({ "app/table.js.js": "exports.table = {};\n" });
    const { undoing } = await undo();
    expect(undoing).toMatchObject({ kind: "undone", files: ["table.js"] });
    expect(diffOf(undoing)).toContain("+exports.table = { rows: [] };");
  });

  it("finds a file that was added", async () => {
    const main = `const table = { rows: [] };
for (const name of require("fs").readdirSync("parts")) Object.assign(table, require("./parts/" + name));
table.rows.length;
`;
    await commit({ "app/main.js": main, "app/parts/one.js": "" });
    await write({ "app/parts/two.js": "exports.rows = undefined;\n", "app/other.js": "// new\n" });
    const { undoing } = await undo();
    expect(undoing).toMatchObject({ kind: "undone", files: ["parts/two.js"] });
    expect(diffOf(undoing)).toContain("-exports.rows = undefined;");
  });

  it("keeps a new file that the command itself needs", async () => {
    await commit(program);
    await write({ "app/table.js": broken, "app/try.js": `require("./main.js");\n` });
    expect((await undo({ command: [process.execPath, "try.js"] })).undoing).toMatchObject({
      kind: "undone",
      files: ["table.js"],
    });
  });

  it("says when the failure occurs without it as well", async () => {
    await commit({ ...program, "app/table.js": broken });
    await write({ "app/main.js": `// a note\n${program["app/main.js"]}` });
    expect(await undo()).toEqual({ undoing: { kind: "fails" }, runs: ["1 of 1 fails"] });
  });

  it("doesn't say so where the copy runs code of the tree itself", async () => {
    const own = JSON.stringify(join(tree(), "app/own.js"));
    await commit({ "app/main.js": `require(${own});\n`, "app/own.js": "" });
    await write({ "app/own.js": `throw new Error("${message}");\n` });
    const { undoing } = await undo();
    expect(undoing).toMatchObject(undecided("the copy runs code of the tree itself"));
  });

  it("restores a folder that was removed", async () => {
    const main = `let table = {};\ntry { table = require("./lib/table.js"); } catch {}\ntable.rows.length;\n`;
    await commit({ "app/main.js": main, "app/lib/table.js": "exports.rows = [];\n" });
    await rm(join(tree(), "app/lib"), { recursive: true });
    expect((await undo()).undoing).toMatchObject({ kind: "undone", files: ["lib/table.js"] });
  });

  it("finds changes where diffs are relative to a folder, also above that of the command", async () => {
    await commit({
      ...program,
      "app/main.js": program["app/main.js"].replace("./table", "../table"),
      "table.js": program["app/table.js"],
    });
    git("config", "diff.relative", "true");
    await write({ "table.js": broken });
    const { undoing } = await undo();
    expect(undoing).toMatchObject({ kind: "undone", files: ["../table.js"] });
  });

  it("undoes a file as a whole where too many lines differ, and nothing where too many files do", async () => {
    await commit({
      "app/main.js": program["app/main.js"],
      "app/table.js": `exports.table = { rows: [] };\n${lines(600)}`,
    });
    await write({ "app/table.js": `exports.table = {};\n${lines(600).replaceAll("line", "row")}` });
    const { undoing, runs } = await undo();
    expect(runs).toEqual(["1 of 1 passes"]);
    expect(undoing).toMatchObject({ undone: { places: [{ file: "table.js", line: 1 }], diff: "" } });
    await write(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`app/new/${index}.js`, ""])));
    expect((await undo()).undoing).toMatchObject(undecided("more than 200 files were changed"));
  });

  it("leaves tests, lists of dependencies, and hidden files as they are", async () => {
    const test = `require("../main.js");\n`;
    await commit({ ...program, "app/test/a.test.js": "", "package.json": "{}", ".env.js": "" });
    await write({ "app/test/a.test.js": test, "package.json": `{ "name": "a" }`, ".env.js": "1;\n" });
    expect((await undo()).undoing).toBeNull();
    await write({ "app/table.js": broken });
    const { undoing, runs } = await undo({ command: [process.execPath, "test/a.test.js"] });
    expect(undoing).toMatchObject({ kind: "undone", files: ["table.js"] });
    expect(runs[0]).toBe("3 of 3 passes");
  });

  it("masks credentials in what is sent", async () => {
    await commit(program);
    const key = `const key = "${["sk", "live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_")}";`;
    await write({ "app/table.js": lines(30, { 14: key, 15: "exports.table = { items: [] };" }) });
    const diff = diffOf((await undo()).undoing);
    expect(diff).toContain("items");
    expect(diff).not.toContain("4eC39HqLyjWDarjtT1zdp7dc");
  });

  it("names the smallest part that was found when the time is over", async () => {
    await commit(program);
    await write({ "app/table.js": broken });
    const { undoing } = await undo({ runsMax: 1 });
    expect(undoing).toMatchObject({ kind: "undone", files: ["table.js"] });
    expect(diffOf(undoing).match(/^@@ /gm)).toHaveLength(3);
  });

  it("leaves the tree as it is, and no copy", async () => {
    await commit(program);
    await write({ "app/table.js": broken, "app/notes.js": "// new\n" });
    git("add", "app/table.js");
    const state = async () => [
      ...[git("status", "--porcelain", "--branch"), git("count-objects")],
      await readFile(join(tree(), ".git/index"), "hex"),
      await readFile(join(tree(), "app/table.js"), "utf8"),
    ];
    const before = await state();
    await undo();
    expect(await state()).toEqual(before);
    await expect.poll(() => readdir(copies())).toEqual([]);
  });

  it("decides nothing where the failure doesn't occur in a copy, or a file is behind a link that leads out", async () => {
    await commit(program);
    await write({ "app/table.js": broken });
    const here = JSON.stringify(join(tree(), "app"));
    await write({ "app/main.js": `if (process.cwd() === ${here}) throw new Error("${message}");\n` });
    expect((await undo()).undoing).toMatchObject(undecided("doesn't fail in the same way in a copy"));
    await rm(join(tree(), "app/table.js"));
    await write({ "app/main.js": program["app/main.js"] });
    await writeFile(join(folder(), "outside.js"), broken);
    await symlink(join(folder(), "outside.js"), join(tree(), "app/table.js"));
    expect((await undo()).undoing).not.toMatchObject({ kind: "undone" });
    expect(await readFile(join(folder(), "outside.js"), "utf8")).toBe(broken);
  });

  it("has nothing to undo outside of a repository, or before its first commit", async () => {
    await write(program);
    expect((await undo()).undoing).toBeNull();
    await rm(join(tree(), ".git"), { recursive: true });
    expect((await undo()).undoing).toBeNull();
  });
});

describe("undoing what a commit changed", () => {
  it("finds the lines in the files as they are now", async () => {
    await commit(program);
    const id = await commit({ "app/table.js": broken, "app/other.js": "// new\n" });
    await commit({ "app/table.js": `// above\n// above\n${broken}` });
    const { undoing } = await undo({ commit: id });
    expect(undoing).toMatchObject({ kind: "undone", files: ["table.js"], undone: { commit: id } });
    expect(diffOf(undoing)).toMatch(/^--- a\/table\.js\n\+\+\+ b\/table\.js\n@@ -14,7 \+14,7 @@\n/);
  });

  it("finds lines whose neighbors changed since", async () => {
    await commit(program);
    const id = await commit({ "app/table.js": lines(30, { 15: "exports.table = { items: [] };" }) });
    await commit({
      "app/table.js": lines(30, { 14: "// near", 15: "exports.table = { items: [] };", 16: "// near" }),
    });
    expect((await undo({ commit: id })).undoing).toMatchObject({ kind: "undone", files: ["table.js"] });
  });

  it("tells lines of a commit apart that were changed one below the other", async () => {
    await commit(program);
    const changed = { 14: "// another", 15: "exports.table = { items: [] };", 17: "// another" };
    const id = await commit({ "app/table.js": lines(30, changed) });
    await commit({ "app/table.js": `// above\n${lines(30, changed)}` });
    const { undoing } = await undo({ commit: id });
    expect(undoing).toMatchObject({ undone: { places: [{ file: "table.js", line: 16 }] } });
  });

  it("puts back lines that it removed, also where one of their neighbors changed since", async () => {
    const table = program["app/table.js"];
    await commit({
      ...program,
      "app/table.js": table.replace("{ rows: [] }", "{}").replace("// line 16", "exports.table.rows = [];"),
    });
    const id = await commit({ "app/table.js": table.replace("{ rows: [] }", "{}").replace("// line 16\n", "") });
    await commit({
      "app/table.js": table.replace("{ rows: [] }", "{}").replace("// line 16\n// line 17", "// seventeen"),
    });
    expect((await undo({ commit: id })).undoing).toMatchObject({
      undone: { places: [{ file: "table.js", line: 16 }] },
    });
  });

  it("has nothing to undo where later commits changed the same lines", async () => {
    await commit(program);
    const id = await commit({ "app/table.js": lines(30, { 15: "exports.table = { items: [] };" }) });
    await commit({ "app/table.js": lines(30, { 15: "exports.table = { cells: [] };" }) });
    expect((await undo({ commit: id })).undoing).toBeNull();
  });
});
