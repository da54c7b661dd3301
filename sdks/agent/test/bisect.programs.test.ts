import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BisectRefusal, bisect } from "../src/prove/bisect.ts";
import { temporaryFolder } from "./whence-command.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
  git("init", "--quiet");
  await commit("Begin", {
    ".gitignore": "node_modules/\n",
    "app/main.js": 'require("dep");\nconst table = { rows: [] };\ntable.rows.length;\n',
  });
  git("tag", "good");
  await mkdir(join(folder.path, "app/node_modules/dep"), { recursive: true });
  await writeFile(join(folder.path, "app/node_modules/dep/index.js"), "");
});
afterEach(() => folder.remove());

const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
const git = (...args: string[]): string =>
  execFileSync("git", [...author, ...args], { cwd: folder.path, encoding: "utf8" }).trim();

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(folder.path, "app"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
}

async function commit(subject: string, files: Readonly<Record<string, string>>): Promise<void> {
  await write(files);
  git("add", "--all");
  git("commit", "--quiet", "--message", subject);
}

const broken = { "app/main.js": 'require("dep");\nconst table = { items: [] };\ntable.rows.length;\n' };

const minuteMs = 60_000;

/** Searches for ten minutes. Each run takes `runMs` of them. */
function search(good = "good", { cwd = join(folder.path, "app"), runMs = 0 } = {}) {
  const judged: string[] = [];
  const found = bisect([process.execPath, "main.js"], good, {
    program: { cwd, environment: { PATH: process.env.PATH, TMPDIR: folder.path } },
    until: 10 * minuteMs,
    clock: () => judged.length * runMs,
    outputBytesMax: 10_000,
    onRun: ({ subject }, { code }) => judged.push(`${subject}: ${code}`),
    signal: new AbortController().signal,
  });
  return found.then((result) => ({ ...result, judged }));
}

describe("the search for the commit with which a command began to fail", () => {
  it("names it and the lines that it changed, with the installed packages of the checkout", async () => {
    await commit("Note", { "app/notes.txt": "1" });
    await commit("Rename rows to items", broken);
    await commit("Note again", { "app/notes.txt": "2" });
    const found = await search();
    expect(found).toMatchObject({
      kind: "found",
      commit: { id: git("rev-parse", "HEAD~1"), author: "Ada", subject: "Rename rows to items" },
      diff: expect.stringContaining("-const table = { rows: [] };\n+const table = { items: [] };"),
    });
    expect(found.judged.slice(0, 2)).toEqual(["Note again: 1", "Begin: 0"]);
  });

  it("leaves the checkout, its worktrees, and the folder for temporary files as they were", async () => {
    await commit("Rename rows to items", broken);
    await write({ "app/notes.txt": "not committed" });
    const before = git("status", "--porcelain", "--branch");
    await search();
    expect(git("status", "--porcelain", "--branch")).toBe(before);
    expect(await readFile(join(folder.path, "app/notes.txt"), "utf8")).toBe("not committed");
    expect(git("worktree", "list").split("\n")).toHaveLength(1);
    expect((await readdir(folder.path)).filter((name) => name.startsWith("whence-"))).toEqual([]);
  });

  it("skips a commit at which the command fails in another way", async () => {
    await commit("Break the build", { "app/main.js": "}\n" });
    await commit("Rename rows to items", broken);
    await commit("Note", { "app/notes.txt": "1" });
    expect(await search()).toMatchObject({ kind: "among", commits: 2, isLate: false });
  });

  it("ends when the time is over, and says among how many commits the first bad one is", async () => {
    for (const note of ["1", "2", "3", "4", "5", "6", "7"]) await commit(`Note ${note}`, { "app/notes.txt": note });
    await commit("Rename rows to items", broken);
    const found = await search("good", { runMs: 4 * minuteMs });
    expect(found).toMatchObject({ kind: "among", commits: 4, isLate: true });
    expect(found.judged).toHaveLength(3);
  });

  it("says that only what isn't committed fails", async () => {
    await commit("Note", { "app/notes.txt": "1" });
    await write(broken);
    expect(await search()).toMatchObject({ kind: "passes" });
  });

  it("says that the good revision fails as well", async () => {
    await commit("Rename rows to items", broken);
    await commit("Note", { "app/notes.txt": "1" });
    expect(await search("HEAD~1")).toMatchObject({ kind: "fails-at-good" });
  });

  it.each([
    ["no revision", "nowhere", /^"nowhere" is no revision/],
    ["an option of git", "--all", /^"--all" is no revision/],
    ["no ancestor", "other", /^"other" isn't an ancestor/],
  ])("is refused for %s", async (_, good, message) => {
    git("checkout", "--quiet", "--orphan", "other");
    await commit("Elsewhere", {});
    git("checkout", "--quiet", "--detach", "good");
    const refused = search(good);
    await expect(refused).rejects.toThrow(BisectRefusal);
    await expect(refused).rejects.toThrow(message);
  });

  it("is refused outside a repository", async () => {
    const outside = await temporaryFolder();
    await expect(search("good", { cwd: outside.path })).rejects.toThrow("this folder isn't in a git repository");
    await outside.remove();
  });
});
