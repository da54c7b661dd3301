import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Patch } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CopiedRuns } from "../src/prove/copied-runs.ts";
import { tryPatch } from "../src/prove/try-patch.ts";
import { temporaryFolder } from "./whence-command.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let copies: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  copies = join(folder.path, "temporary");
  await mkdir(join(folder.path, "tree/.git"), { recursive: true });
  await mkdir(copies);
  vi.stubEnv("TMPDIR", copies);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await folder.remove();
});

const tree = (): string => join(folder.path, "tree");
async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(tree(), name, ".."), { recursive: true });
    await writeFile(join(tree(), name), text);
  }
}

const patchOf = (from: string, to: string, file = "main.cjs"): Patch => ({
  ...{ kind: "missing-await", repair: "await", what: "", evidence_ids: [] },
  diff: `--- a/${file}\n+++ b/${file}\n@@ -1,1 +1,1 @@\n-${from}\n+${to}\n`,
  files: [{ file, sha256: "0".repeat(64) }],
});

const trial = (patch: Patch, more: { command?: string[]; isOver?: () => boolean } = {}) => {
  const options = () => ({
    ...{ cwd: tree(), environment: { PATH: process.env.PATH }, onOutput: () => undefined },
    ...{ outputBytesMax: 1_000_000, withinMs: 86_400_000, signal: new AbortController().signal },
  });
  const command = more.command ?? [process.execPath, "main.cjs"];
  return tryPatch(patch, ["gone"], new CopiedRuns(command, options, more.isOver ?? (() => false)));
};

const throwing = `throw new Error("gone");\n`;
const outcome = (value: string) => ({ kind: "tried", tried: { outcome: value } });
const undecided = (why: string) => ({ kind: "undecided", why: expect.stringContaining(why) });

describe("a patch that is tried in a copy of the tree", () => {
  it.each([
    ["the command passes", "process.exitCode = 0;", "repaired"],
    ["the error occurs as before", `throw new Error("gone again");`, "fails"],
    ["another error occurs", `throw new Error("other");`, "changed"],
  ])("is known by whether %s", async (_, to, expected) => {
    await write({ "main.cjs": throwing });
    expect(await trial(patchOf(throwing.trim(), to))).toMatchObject(outcome(expected));
    expect(await readFile(join(tree(), "main.cjs"), "utf8")).toBe(throwing);
    await expect.poll(() => readdir(copies)).toEqual([]);
  });

  it("repairs nothing when fewer tests pass than before", async () => {
    const counted = `if (!process.argv[2]) console.log("# pass " + passed + "\\n# fail " + failed);`;
    const end = `${counted}\nif (failed) throw new Error("gone");\n`;
    await write({ "main.cjs": `const passed = 3, failed = 1;\n${end}` });
    const to = (passed: number) => patchOf("const passed = 3, failed = 1;", `const passed = ${passed}, failed = 0;`);
    expect(await trial(to(2))).toMatchObject(outcome("changed"));
    expect(await trial(to(4))).toMatchObject({
      tried: { outcome: "repaired", before: { passed: 3, failed: 1 }, after: { passed: 4, failed: 0 } },
    });
  });

  it("decides nothing when the command doesn't fail in a copy", async () => {
    await write({ "main.cjs": `if (__dirname === ${JSON.stringify(tree())}) throw new Error("gone");\n` });
    expect(await trial(patchOf("", ""))).toMatchObject(undecided("doesn't fail in the same way"));
  });

  it("decides nothing when the command can't be started in a copy", async () => {
    await write({ "main.cjs": throwing, "main.sh": "#!/bin/sh\necho gone\nexit 1\n" });
    const started = await trial(patchOf(throwing.trim(), ""), { command: ["./main.sh"] });
    expect(started).toMatchObject(undecided("the copy can't be used: spawn"));
    await expect.poll(() => readdir(copies)).toEqual([]);
  });

  it("decides nothing where the copy runs code of the tree", async () => {
    await write({ "main.cjs": throwing });
    const path = Buffer.from(join(tree(), "main.cjs")).toString("base64");
    const command = [process.execPath, "-e", `require(Buffer.from("${path}", "base64").toString())`];
    expect(await trial(patchOf(throwing.trim(), ""), { command })).toMatchObject(undecided("code of the tree itself"));
  });

  it("runs what the command names by its full path in the copy", async () => {
    await write({ "main.cjs": throwing });
    const command = [process.execPath, join(tree(), "main.cjs")];
    expect(await trial(patchOf(throwing.trim(), ""), { command })).toMatchObject(outcome("repaired"));
  });

  it("finds installed packages, and writes nothing beside them", async () => {
    await write({
      "node_modules/dep/index.js": "",
      "node_modules/.bin/dep": "",
      "packages/own/index.js": throwing,
      "main.cjs": `require("dep");\nrequire("own");\nrequire("fs").writeFileSync("node_modules/written", "");\n`,
    });
    await symlink("../packages/own", join(tree(), "node_modules/own"));
    const patch = patchOf(throwing.trim(), "module.exports = 1;", "packages/own/index.js");
    expect(await trial(patch)).toMatchObject(outcome("repaired"));
    expect(await readdir(join(tree(), "node_modules"))).not.toContain("written");
  });

  it("isn't applied to a file that a link leads to", async () => {
    await writeFile(join(folder.path, "outside.cjs"), throwing);
    await symlink(join(folder.path, "outside.cjs"), join(tree(), "main.cjs"));
    expect(await trial(patchOf(throwing.trim(), ""))).toMatchObject({ kind: "undecided" });
    expect(await readFile(join(folder.path, "outside.cjs"), "utf8")).toBe(throwing);
  });

  it("isn't tried once the time is over", async () => {
    await write({ "main.cjs": throwing });
    expect(await trial(patchOf("", ""), { isOver: () => true })).toMatchObject(undecided("the time is over"));
    await expect.poll(() => readdir(copies)).toEqual([]);
  });

  it("leaves no copy when the process is killed", async () => {
    await write({ "main.cjs": throwing });
    const copying = `import { copyTree } from ${JSON.stringify(join(import.meta.dirname, "../src/prove/tree-copy.ts"))};
await copyTree(${JSON.stringify(tree())}, () => false);
console.log("copied");
setInterval(() => undefined, 60_000);
`;
    const args = ["--conditions=@whence/source", "--input-type=module", "-e", copying];
    const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR: copies } });
    await new Promise((resolve) => createInterface(child.stdout).once("line", resolve));
    expect(await readdir(copies)).toHaveLength(1);
    child.kill("SIGKILL");
    await expect.poll(() => readdir(copies)).toEqual([]);
    expect(tmpdir()).toBe(copies);
  });
});
