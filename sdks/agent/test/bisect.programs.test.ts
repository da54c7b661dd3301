import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { bisect } from "../src/prove/bisect.ts";
import { useGitTree } from "./git-tree.ts";

const { folder, path: tree, copies, git, write, commit } = useGitTree();

beforeEach(async () => {
  await commit("Begin", { ".gitignore": "node_modules/\n.venv/\n", "app/main.js": rowsOf("rows") });
  git("tag", "good");
  await write({ "node_modules/dep/index.js": "module.exports = 1;\n" });
});

/** A program that fails unless the name is `rows`. */
function rowsOf(name: string, first = ""): string {
  return `${first}require("dep");\nconst table = { ${name}: [] };\ntable.rows.length;\n`;
}
const message = "Cannot read properties of undefined (reading 'length')";

interface Asked {
  readonly good?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly failures?: readonly string[];
  readonly withinMs?: number;
  /** After so many runs, the time is over. */
  readonly runsMax?: number;
}

async function search(asked: Asked = {}) {
  const { good = "good", command = [process.execPath, "main.js"], failures = [message] } = asked;
  const { environment = {}, withinMs = 600_000, runsMax = Number.POSITIVE_INFINITY } = asked;
  const judged: string[] = [];
  const found = await bisect(
    { command, good, failures },
    {
      options: () => ({
        ...{ cwd: join(tree(), "app"), environment: { PATH: process.env.PATH, ...environment } },
        ...{ onOutput: () => undefined, outputBytesMax: 100_000, withinMs, signal: new AbortController().signal },
      }),
      isOver: () => judged.length >= runsMax,
      onRun: ({ subject }, verdict) => judged.push(`${subject}: ${verdict}`),
    },
  );
  return { ...found, judged };
}

const undecided = (why: string) => ({ kind: "undecided", why: expect.stringContaining(why) });
const note = (text: string) => commit(`Note ${text}`, { "app/notes.txt": text });

describe("the search for the commit with which a failure began", () => {
  it("names it, and the lines that it changed", async () => {
    await note("1");
    const id = await commit("Rename rows to items", { "app/main.js": rowsOf("items") });
    await note("2");
    await note("3");
    const found = await search();
    expect(found).toMatchObject({ kind: "found", commit: { id, author: "Ada", subject: "Rename rows to items" } });
    expect(found).toMatchObject({ diff: expect.stringContaining("-const table = { rows: [] };") });
    expect(found.judged.slice(0, 2)).toEqual(["Note 3: fails", "Begin: passes"]);
  });

  it("finds it where an installed package calls the failing code", async () => {
    await write({ "node_modules/dep/index.js": "module.exports = (call) => call();\n" });
    const through = (name: string) => `const table = { ${name}: [] };\nrequire("dep")(() => table.rows.length);\n`;
    await commit("Call through a package", { "app/main.js": through("rows") });
    git("tag", "--force", "good");
    const id = await commit("Rename rows to items", { "app/main.js": through("items") });
    await note("one");
    expect(await search()).toMatchObject({ kind: "found", commit: { id } });
  });

  it("finds it where commits are signed, and shown with their signatures", async () => {
    git("config", "log.showSignature", "true");
    const id = await commit("Rename rows to items", { "app/main.js": rowsOf("items") });
    expect(await search()).toMatchObject({ kind: "found", commit: { id } });
  });

  it("leaves the checkout as it is: files, index, branches, worktrees, and objects of git", async () => {
    await commit("Rename rows to items", { "app/main.js": rowsOf("items") });
    git("worktree", "add", "--quiet", "--detach", join(folder(), "gone"), "HEAD");
    await rm(join(folder(), "gone"), { recursive: true });
    await write({ "app/notes.txt": "staged" });
    git("add", "app/notes.txt");
    await write({ "app/notes.txt": "not committed" });
    const state = async () => [
      ...[git("status", "--porcelain", "--branch"), git("worktree", "list"), git("for-each-ref"), git("stash", "list")],
      ...[git("count-objects"), (await readdir(join(tree(), ".git"))).sort().join(" ")],
      await readFile(join(tree(), ".git/index"), "hex"),
    ];
    const before = await state();
    expect(await search()).toMatchObject({ kind: "found" });
    expect(await state()).toEqual(before);
    expect(await readFile(join(tree(), "app/notes.txt"), "utf8")).toBe("not committed");
    await expect.poll(() => readdir(copies())).toEqual([]);
  });

  it("keeps installed packages from a command that removes and installs them", async () => {
    await write({ "node_modules/@own/lib/index.js": "1;\n" });
    await symlink("../app", join(tree(), "node_modules/app"));
    const emptied = `const fs = require("fs"); for (const name of fs.readdirSync("../node_modules")) fs.rmSync("../node_modules/" + name, { recursive: true, force: true });
      fs.mkdirSync("../node_modules/dep"); fs.writeFileSync("../node_modules/dep/index.js", "");\n`;
    await commit("Rename rows to items", { "app/main.js": rowsOf("items"), "app/install.js": emptied });
    await write({ "app/install.js": emptied });
    const command = ["sh", "-c", `if [ -f install.js ]; then node install.js; fi; node main.js`];
    expect(await search({ command })).toMatchObject({ kind: "found" });
    expect((await readdir(join(tree(), "node_modules"))).sort()).toEqual(["@own", "app", "dep"]);
    expect(await readFile(join(tree(), "node_modules/dep/index.js"), "utf8")).toBe("module.exports = 1;\n");
    expect(await readFile(join(tree(), "node_modules/@own/lib/index.js"), "utf8")).toBe("1;\n");
  });

  it("keeps packages that are committed, and files that a link leads to", async () => {
    await write({ "outside/kept.js": "" });
    git("add", "--force", "node_modules");
    await commit("Add packages", { "linked/kept.js": "1;\n" });
    await rm(join(tree(), "linked"), { recursive: true });
    await symlink("outside", join(tree(), "linked"));
    await commit("Rename rows to items", { "app/main.js": rowsOf("items") });
    expect(await search()).toMatchObject({ kind: "found", commit: { subject: "Rename rows to items" } });
    expect(await readFile(join(tree(), "node_modules/dep/index.js"), "utf8")).toBe("module.exports = 1;\n");
    expect(await readFile(join(tree(), "outside/kept.js"), "utf8")).toBe("");
  });

  it("uses the commit's own packages of the workspace, which link back into the checkout", async () => {
    await mkdir(join(tree(), "node_modules"), { recursive: true });
    await symlink(join(tree(), "lib"), join(tree(), "node_modules/lib"));
    const main = `const { rows } = require("lib");\nrows.length;\n`;
    await commit("Split", { "app/main.js": main, "lib/index.js": "exports.rows = [];\n" });
    git("tag", "--force", "good");
    await note("1");
    const id = await commit("Rename rows to items", { "lib/index.js": "exports.items = [];\n" });
    await note("2");
    expect(await search()).toMatchObject({ kind: "found", commit: { id } });
  });

  it("reads the commit's files by paths of the tree in the environment", async () => {
    const main = `const { rows } = require("shared");\nrows.length;\n`;
    await commit("Split", { "app/main.js": main, "shared/shared.js": "exports.rows = [];\n" });
    git("tag", "--force", "good");
    const id = await commit("Rename rows to items", { "shared/shared.js": "exports.items = [];\n" });
    await note("1");
    expect(await search({ environment: { NODE_PATH: join(tree(), "shared") } })).toMatchObject({
      ...{ kind: "found", commit: { id } },
    });
  });

  it("takes no compiled file of Python's of one commit for another's", async () => {
    const command = ["python3", "main.py"];
    const failures = ["division by zero"];
    const time = new Date("2026-03-01T12:00:00.000Z");
    await commit("Begin in Python", { "app/main.py": "import own\n1 / own.value\n", "app/own.py": "value = 1\n" });
    git("tag", "--force", "good");
    const id = await commit("Begin at 0", { "app/own.py": "value = 0\n" });
    await note("1");
    execFileSync("python3", ["-m", "compileall", "-q", "."], { cwd: join(tree(), "app") });
    expect(time.getTime()).toBeGreaterThan(0);
    expect(await search({ command, failures })).toMatchObject({ kind: "found", commit: { id } });
  });

  it("says that it is one of several commits when those between fail otherwise or can't run", async () => {
    await commit("Break the syntax", { "app/main.js": "}\n" });
    await commit("Exit early", { "app/main.js": "process.exit(125);\n" });
    await commit("Rename rows to items", { "app/main.js": rowsOf("items") });
    await note("1");
    expect(await search()).toMatchObject({ kind: "among", commits: 3, isLate: false });
  });

  it("ends when the time is over, and says among how many commits it is", async () => {
    for (const text of ["1", "2", "3", "4", "5", "6", "7"]) await note(text);
    await commit("Rename rows to items", { "app/main.js": rowsOf("items") });
    const found = await search({ runsMax: 3 });
    expect(found).toMatchObject({ kind: "among", commits: 4, isLate: true });
    expect(found.judged).toHaveLength(3);
  });

  it.each<[string, () => Promise<unknown>, Asked, string]>([
    [
      "isn't committed",
      () => write({ "app/main.js": rowsOf("items") }),
      {},
      "the command passes with what is committed",
    ],
    ["is another one", () => commit("Break", { "app/main.js": "}\n" }), {}, "doesn't fail in the same way"],
    ["is unknown", () => note("1"), { failures: [] }, "no message of the failure"],
  ])("decides nothing when the failure %s", async (_, change, asked, why) => {
    await change();
    expect(await search(asked)).toMatchObject(undecided(why));
  });

  it.each([
    ["fails in the same way", rowsOf("items"), "fails at HEAD~1 in the same way"],
    ["fails otherwise", "}\n", "can't run, or fails otherwise, at HEAD~1"],
  ])("decides nothing when the good revision %s", async (_, text, why) => {
    await commit("Good?", { "app/main.js": text });
    await commit("Bad", { "app/main.js": rowsOf("items", "//\n") });
    expect(await search({ good: "HEAD~1" })).toMatchObject(undecided(why));
  });

  it("refuses a tree with a virtual environment, whose packages a run could change", async () => {
    await commit("Rename rows to items", { "app/main.js": rowsOf("items") });
    await write({ ".venv/pyvenv.cfg": "home = /usr/bin\n" });
    expect(await search()).toMatchObject(undecided("packages of .venv could be changed"));
  });

  it.each([
    ["no revision", "nowhere", '"nowhere" is no revision'],
    ["an option of git", "--all", '"--all" is no revision'],
  ])("is refused for %s", async (_, good, why) => {
    expect(await search({ good })).toMatchObject(undecided(why));
  });
});
