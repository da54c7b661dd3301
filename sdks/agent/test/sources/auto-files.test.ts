import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { autoFiles } from "../../src/sources/auto-files.ts";
import { temporaryFolder } from "../whence-command.ts";

let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
beforeEach(async () => {
  temporary = await temporaryFolder();
  root = join(temporary.path, "app");
  await mkdir(root);
});
afterEach(() => temporary.remove());

async function write(name: string, content: string | Uint8Array = name): Promise<void> {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await writeFile(join(root, name), content);
}

const budget = { files: 20, bytes: 2_097_152 };
const found = async (text: string, given = budget) => (await autoFiles(text, root, given)).map(({ name }) => name);

describe("the files that a text names", () => {
  it("are found where they are, and where a container has them", async () => {
    await write("src/user.js");
    expect(await autoFiles("at f (src/user.js:1:1)", root, budget)).toEqual([
      { name: "src/user.js", content: "src/user.js" },
    ]);
    for (const path of [join(root, "src/user.js"), "/srv/shop/src/user.js", "./src/user.js", "user.js"]) {
      expect(await found(`at f (${path}:1:1)`)).toEqual(["src/user.js"]);
    }
  });

  it("are found by the package of a Java class, below any source folder", async () => {
    await write("service/src/main/java/com/acme/Cart.java");
    await write("other/src/main/java/com/rival/Cart.java");
    expect(await found("\tat com.acme.Cart.total(Cart.java:10)")).toEqual(["service/src/main/java/com/acme/Cart.java"]);
  });

  it("are left alone when it is not clear which is meant", async () => {
    await write("a/index.js");
    await write("b/index.js");
    expect(await found("at f (index.js:1:1)")).toEqual([]);
    expect(await found("at f (/elsewhere/lib/index.js:1:1)")).toEqual([]);
  });

  it("come in the order of their mention, each once, as many as there is room for", async () => {
    for (const name of ["a.js", "b.js", "c.js"]) await write(name, "12345");
    expect(await found("c.js a.js c.js b.js")).toEqual(["c.js", "a.js", "b.js"]);
    expect(await found("c.js a.js b.js", { files: 2, bytes: 100 })).toEqual(["c.js", "a.js"]);
    expect(await found("c.js a.js b.js", { files: 20, bytes: 10 })).toEqual(["c.js", "a.js"]);
    expect(await found("c.js a.js b.js", { files: 20, bytes: 9 })).toEqual(["c.js"]);
    expect(await found("c.js", { files: 0, bytes: 100 })).toEqual([]);
  });

  it("may have 1 MiB, and not a byte more", async () => {
    await write("most.js", "x".repeat(1_048_576));
    await write("more.js", "x".repeat(1_048_577));
    expect(await found("more.js most.js")).toEqual(["most.js"]);
  });

  it("are texts", async () => {
    await write("zero.js", "a\0b");
    await write("latin.js", Buffer.from([0xe9]));
    await mkdir(join(root, "folder.js"));
    expect(await found("zero.js latin.js folder.js")).toEqual([]);
  });
});

describe("what a text may point at in vain", () => {
  it("is everything outside of the folder", async () => {
    await writeFile(join(temporary.path, "secret.js"), "secret");
    await mkdir(join(temporary.path, "app-two"));
    await writeFile(join(temporary.path, "app-two/a.js"), "another");
    await symlink(join(temporary.path, "secret.js"), join(root, "linked.js"));
    await symlink(temporary.path, join(root, "up"));
    const outside = [
      "../secret.js",
      "x/../../secret.js",
      "..\\secret.js",
      join(temporary.path, "secret.js"),
      `file://${temporary.path}/secret.js`,
      "linked.js",
      "up/secret.js",
      join(temporary.path, "app-two/a.js"),
    ];
    expect(await found(outside.map((path) => `at f (${path}:1:1)`).join("\n"))).toEqual([]);
  });

  it("is what is hidden, and other people's code", async () => {
    const names = [".ssh/key.js", ".hidden.js", "node_modules/a/index.js", "vendor/a.rb", "lib/site-packages/a.py"];
    for (const name of names) await write(name);
    await symlink(join(root, ".ssh"), join(root, "shown"));
    expect(await found([...names, "shown/key.js"].join("\n"))).toEqual([]);
  });

  it("is what is no code", async () => {
    for (const name of ["config.json", "notes.txt", "key.pem", "Makefile"]) await write(name);
    expect(await found("config.json notes.txt key.pem Makefile")).toEqual([]);
  });
});
