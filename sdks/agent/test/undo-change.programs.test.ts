import { readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NamedCommit } from "../src/prove/bisect.ts";
import { CopiedRuns } from "../src/prove/copied-runs.ts";
import type { SuspectPlace } from "../src/prove/searched-parts.ts";
import { type Undoing, undoChange } from "../src/prove/undo-change.ts";
import { useGitTree } from "./git-tree.ts";

const { folder, path: tree, copies, git, write, commit: commitAs } = useGitTree();

async function commit(files: Readonly<Record<string, string>>): Promise<NamedCommit> {
  const id = await commitAs("Change", files);
  return { id, author: "Ada", at: "2026-03-01T09:40:00.000Z", subject: "Change" };
}

const lines = (count: number, changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, index) => `${changed[index + 1] ?? `// line ${index + 1}`}\n`).join("");
/** A program that fails unless its table, in a file of its own, has rows. */
const program = {
  "app/main.js": `const { table } = require("./table.js");\ntable.rows.length;\n`,
  "app/table.js": lines(30, { 15: "exports.table = { rows: [] };" }),
};
const broken = lines(30, { 3: "// another", 15: "exports.table = { items: [] };", 27: "// another" });
const message = "Cannot read properties of undefined (reading 'length')";

interface Asked {
  readonly commit?: NamedCommit;
  readonly command?: readonly string[];
  readonly runsMax?: number;
  readonly suspects?: readonly SuspectPlace[];
}

async function undo(asked: Asked = {}) {
  const { commit: of, command = [process.execPath, "main.js"], runsMax = 1_000, suspects = [] } = asked;
  const runs: string[] = [];
  const options = () => ({
    ...{ cwd: join(tree(), "app"), environment: { PATH: process.env.PATH }, onOutput: () => undefined },
    ...{ outputBytesMax: 100_000, withinMs: 86_400_000, signal: new AbortController().signal },
  });
  const isOver = () => runs.length >= runsMax;
  const undoing = await undoChange(
    of ?? null,
    { failures: [message], suspects },
    new CopiedRuns(command, options, () => false),
    {
      ...{ options, isOver },
      onRun: ({ undone, parts, verdict }) => runs.push(`${undone} of ${parts} ${verdict}`),
    },
  );
  return { undoing, runs };
}

const diffOf = (undoing: Undoing | null): string => (undoing?.kind === "undone" ? undoing.undone.diff : "");
const undecided = (why: string) => ({ kind: "undecided", why: expect.stringContaining(why) });

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
