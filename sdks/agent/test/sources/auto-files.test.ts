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
const found = async (text: string, given = budget) =>
  (await autoFiles(text, root, given)).files.map(({ name }) => name);
const leftOut = async (text: string, given = budget) =>
  Object.fromEntries((await autoFiles(text, root, given)).leftOut);

describe("files that a program loaded", () => {
  it("come after those that the text leads to, built ones too, and never packages, hidden files, or data", async () => {
    const loaded = [
      "lib/a.js",
      "dist/built.js",
      "main.js",
      "node_modules/p/p.js",
      ".hidden.js",
      "data.json",
      "gone.js",
    ];
    for (const name of loaded.slice(0, -1)) await write(name);
    const names = async (files: number) =>
      (await autoFiles("at f (main.js:1:1)", root, { ...budget, files }, loaded)).files.map(({ name }) => name);
    expect(await names(20)).toEqual(["main.js", "lib/a.js", "dist/built.js"]);
    expect(await names(2)).toEqual(["main.js", "lib/a.js"]);
  });
});

describe("a built file that a text names", () => {
  const map = (sources: readonly string[], mappings = "AAAA") => JSON.stringify({ version: 3, sources, mappings });
  // Line 1 of the built file is line 1 of its first source, line 2 that of the second.
  const twoLines = "AAAA;ACAA";
  const stack = "at f (file:///srv/app/dist/cart.js:1:1)";

  it("is replaced by what it was made from, with its map and the imports of that", async () => {
    await write("dist/cart.js");
    await write("dist/cart.js.map", map(["../src/cart.ts"]));
    await write("src/cart.ts", 'import "./price.js";');
    await write("src/price.ts");
    expect(await found(stack)).toEqual(["src/cart.ts", "dist/cart.js.map", "src/price.ts"]);
  });

  it("leads, of a bundle, to the files of the places that the text names", async () => {
    await write("dist/cart.js.map", map(["webpack://../src/cart.ts", "../src/price.ts"], twoLines));
    await write("src/cart.ts");
    await write("src/price.ts");
    expect(await found("at f (dist/cart.js:2:1)")).toEqual(["src/price.ts", "dist/cart.js.map"]);
  });

  it("isn't sent when what it was made from isn't there", async () => {
    await write("dist/cart.js");
    await write("dist/cart.js.map", map(["../src/cart.ts"]));
    expect(await found(stack)).toEqual([]);
  });

  it("never leads out of the folder, to hidden files, into packages, or to data", async () => {
    await writeFile(join(temporary.path, "secret.ts"), "secret");
    for (const name of ["secret/../../secret.ts", ".hidden.ts", "node_modules/p/p.ts", "data.json"]) {
      await write("dist/cart.js.map", map([`../${name}`]));
      if (!name.includes("..")) await write(name);
      expect(await found(stack)).toEqual([]);
    }
  });

  describe("has a map with the code", () => {
    const sentMap = async () => {
      const { files, masked } = await autoFiles(stack, root, budget);
      const content = files.find(({ name }) => name === "dist/cart.js.map")?.content ?? "null";
      return { content: JSON.parse(content), masked };
    };
    const withCode = (sources: Readonly<Record<string, string>>, more: object = {}) =>
      write(
        "dist/cart.js.map",
        JSON.stringify({
          ...{ version: 3, names: [], mappings: "AAAA" },
          ...{ sources: Object.keys(sources), sourcesContent: Object.values(sources), ...more },
        }),
      );

    it("of those of its sources alone that may be sent themselves", async () => {
      await writeFile(join(temporary.path, "private.ts"), "private");
      const inside = ["src/cart.ts", "src/price.ts", ".hidden.ts", "node_modules/p/p.ts", "dist/made.ts", "data.json"];
      for (const name of inside) await write(name);
      await symlink(join(temporary.path, "private.ts"), join(root, "src/linked.ts"));
      const sources = [
        ...inside.map((name) => `../${name}`),
        ...["../../private.ts", "../src/linked.ts", "../src/gone.ts", join(root, "../private.ts")],
        ...["/../src/cart.ts", "file:///../src/cart.ts", "C:/../../src/cart.ts", "https://../src/cart.ts"],
      ];
      await withCode(Object.fromEntries(sources.map((source) => [source, `code of ${source}`])));
      const { content } = await sentMap();
      expect(content.sources).toEqual(sources);
      expect(content.sourcesContent).toEqual([
        ...["code of ../src/cart.ts", "code of ../src/price.ts"],
        ...sources.slice(2).map(() => null),
      ]);
    });

    it("judged by where the sources are for the map's root", async () => {
      await write("src/cart.ts");
      for (const sourceRoot of ["../..", "/srv", "https://other.example"]) {
        await withCode({ "../src/cart.ts": "other code" }, { sourceRoot });
        expect((await sentMap()).content.sourcesContent).toEqual([null]);
      }
      await withCode({ "../src/cart.ts": "code" }, { sourceRoot: "./" });
      expect((await sentMap()).content.sourcesContent).toEqual(["code"]);
    });

    it("and nothing that only some tools write or read", async () => {
      await write("src/cart.ts");
      const id = "85314830-023f-4cf1-a267-535f4e37bb17";
      const others = { x_tool: "private", sections: [], sourcesContent: ["code", "private"] };
      await withCode({ "../src/cart.ts": "" }, { file: "cart.js", debugId: id, debug_id: id, ...others });
      expect((await sentMap()).content).toEqual({
        ...{ version: 3, file: "cart.js", sourceRoot: "", sources: ["../src/cart.ts"], names: [], mappings: "AAAA" },
        ...{ sourcesContent: ["code"], debugId: id, debug_id: id },
      });
    });

    it("unless it becomes larger than a file may be", async () => {
      await write("src/cart.ts");
      const sources = ["../src/cart.ts", ...Array.from({ length: 200_000 }, () => "")];
      await write("dist/cart.js.map", map(sources));
      expect(await found(stack)).toEqual(["src/cart.ts"]);
      expect(await leftOut(stack)).toEqual({ "dist/cart.js.map": "too large" });
    });

    it("with credentials masked, also those at the start of a line", async () => {
      await write("src/cart.ts");
      const token = `ghp_${"a1".repeat(18)}`;
      await withCode({ "../src/cart.ts": `const a = "${token}";\nAPI_TOKEN=hunter2\n` });
      const { content, masked } = await sentMap();
      expect(content.sourcesContent).toEqual([`const a = "${"*".repeat(40)}";\nAPI_TOKEN=*******\n`]);
      expect([...masked.keys()]).toEqual(["dist/cart.js.map"]);
    });
  });

  it.each([
    ...["no map", "null", "[]", '{"sources": [1]}', '{"sources": ["../src/cart.ts"]}'],
    ...['{"version": 3, "sections": [null]}', '{"sections": [null], "sources": ["../src/cart.ts"], "mappings": ""}'],
  ])("isn't sent with a map that can't be read: %s", async (text) => {
    await write("dist/cart.js.map", text);
    await write("src/cart.ts");
    expect(await found(stack)).toEqual([]);
  });
});

describe("files named in a text", () => {
  it("are found at their paths, and at the paths that a container has them at", async () => {
    await write("src/user.js");
    expect(await autoFiles("at f (src/user.js:1:1)", root, budget)).toEqual({
      files: [{ name: "src/user.js", content: "src/user.js" }],
      leftOut: new Map(),
      masked: new Map(),
    });
    for (const path of [join(root, "src/user.js"), "/srv/shop/src/user.js", "./src/user.js", "user.js"]) {
      expect(await found(`at f (${path}:1:1)`)).toEqual(["src/user.js"]);
    }
  });

  it("are found by the package of a Java class, below any source folder", async () => {
    await write("service/src/main/java/com/acme/Cart.java");
    await write("other/src/main/java/com/rival/Cart.java");
    expect(await found("\tat com.acme.Cart.total(Cart.java:10)")).toEqual(["service/src/main/java/com/acme/Cart.java"]);
  });

  it("are skipped when several match", async () => {
    await write("a/index.js");
    await write("b/index.js");
    expect(await found("at f (index.js:1:1)")).toEqual([]);
    expect(await found("at f (/elsewhere/lib/index.js:1:1)")).toEqual([]);
  });

  it("are sent in the order of their mention, each once, within the budget", async () => {
    for (const name of ["a.js", "b.js", "c.js"]) await write(name, "12345");
    expect(await found("c.js a.js c.js b.js")).toEqual(["c.js", "a.js", "b.js"]);
    expect(await found("c.js a.js b.js", { files: 2, bytes: 100 })).toEqual(["c.js", "a.js"]);
    expect(await found("c.js a.js b.js", { files: 20, bytes: 10 })).toEqual(["c.js", "a.js"]);
    expect(await found("c.js a.js b.js", { files: 20, bytes: 9 })).toEqual(["c.js"]);
    expect(await found("c.js", { files: 0, bytes: 100 })).toEqual([]);
    expect(await leftOut("c.js a.js b.js", { files: 2, bytes: 100 })).toEqual({ "b.js": "no room" });
    expect(await leftOut("c.js a.js b.js", { files: 20, bytes: 9 })).toEqual({ "a.js": "no room", "b.js": "no room" });
  });

  it("leave half of the room to what the program runs where they are tests", async () => {
    const tests = ["a.test.js", "b.test.js", "c.test.js", "d.test.js"];
    await write("a.test.js", 'import "./a.js";');
    for (const name of [...tests.slice(1), "a.js", "b.js"]) await write(name, "");
    const text = `FAIL a.test.js\nPASS b.test.js\nPASS c.test.js\nPASS d.test.js\nat b.js:1:1`;
    expect(await found(text, { ...budget, files: 4 })).toEqual(["a.test.js", "b.test.js", "b.js", "a.js"]);
    expect(await found(text, { ...budget, files: 5 })).toEqual(["a.test.js", "b.test.js", "b.js", "a.js", "c.test.js"]);
    expect(await leftOut(text, { ...budget, files: 5 })).toEqual({ "d.test.js": "no room" });
  });

  it("leave half of the room to what the program runs where tests are large", async () => {
    const [tests, text] = [["a.test.js", "b.test.js"], "FAIL a.test.js\nFAIL b.test.js\nat a.js:1:1"];
    for (const name of [...tests, "a.js"]) await write(name, "x".repeat(40));
    expect(await found(text, { ...budget, bytes: 100 })).toEqual(["a.test.js", "a.js"]);
    expect(await found(text, { ...budget, bytes: 120 })).toEqual(["a.test.js", "a.js", "b.test.js"]);
  });

  it("may have 1 MiB, and not one byte more", async () => {
    await write("most.js", "x".repeat(1_048_576));
    await write("more.js", "x".repeat(1_048_577));
    expect(await found("more.js most.js")).toEqual(["most.js"]);
    expect(await leftOut("more.js most.js")).toEqual({ "more.js": "too large" });
  });

  it("must be text", async () => {
    await write("zero.js", "a\0b");
    await write("latin.js", Buffer.from([0xe9]));
    await mkdir(join(root, "folder.js"));
    expect(await found("zero.js latin.js folder.js")).toEqual([]);
    expect(await leftOut("zero.js latin.js folder.js")).toEqual({ "zero.js": "no text", "latin.js": "no text" });
  });
});

describe("files that those import", () => {
  it("follow all of them, breadth first", async () => {
    await write("main.ts", 'import { a } from "./lib/a.js";\nexport * from "./b";\nimport fs from "node:fs";');
    await write("cart.ts", 'import type { C } from "./c.ts";');
    await write("lib/a.ts", 'const deep = await import("../deep");');
    await write("b/index.tsx", 'const main = require("../main");');
    await write("c.ts");
    await write("deep.cjs");
    expect(await found("at f (cart.ts:1:1)\nat g (main.ts:1:1)")).toEqual([
      ...["cart.ts", "main.ts", "c.ts", "lib/a.ts", "b/index.tsx", "deep.cjs"],
    ]);
  });

  it("have their own names where a folder is imported, with a slash or without", async () => {
    await write("index.js", 'require("./lib/");');
    await write("lib/index.js", 'require("./");');
    for (const specifier of ["../", ".."]) {
      await write("test/a.js", `require("${specifier}");`);
      expect(await found("at f (test/a.js:1:1)")).toEqual(["test/a.js", "index.js", "lib/index.js"]);
    }
  });

  it("are found in Python, Ruby, and Go", async () => {
    await write(
      "shop/cart/total.py",
      "from . import tax\nfrom ..money import Money, rates as r\nimport shop.users, os\n",
    );
    for (const name of ["shop/cart/tax.py", "shop/money/__init__.py", "shop/money/rates.py", "shop/users.py"]) {
      await write(name);
    }
    expect(await found("shop/cart/total.py")).toEqual([
      ...["shop/cart/total.py", "shop/cart/tax.py", "shop/money/__init__.py", "shop/money/rates.py", "shop/users.py"],
    ]);
    await write("app/user.rb", 'require "json"\nrequire_relative "../lib/names"');
    await write("lib/names.rb");
    expect(await found("app/user.rb:7:in `name'")).toEqual(["app/user.rb", "lib/names.rb"]);
    for (const name of ["cmd/main.go", "cmd/stock.go", "cmd/main_test.go", "other/other.go"]) await write(name);
    expect(await found("\t/go/src/cmd/main.go:12 +0x1d")).toEqual(["cmd/main.go", "cmd/stock.go"]);
  });

  it("are sent within the budget: 20 files, and not one more", async () => {
    const count = 25;
    await write("main.js", Array.from({ length: count }, (_, index) => `import "./part-${index}.js";`).join("\n"));
    for (let index = 0; index < count; index++) await write(`part-${index}.js`);
    const names = await found("main.js");
    expect(names).toEqual(["main.js", ...Array.from({ length: 19 }, (_, index) => `part-${index}.js`)]);
    expect(Object.keys(await leftOut("main.js"))).toEqual(
      Array.from({ length: 6 }, (_, index) => `part-${index + 19}.js`),
    );
  });

  it("are never outside of the folder, and always code", async () => {
    await writeFile(join(temporary.path, "secret.js"), "secret");
    await write("server.key", "-----BEGIN PRIVATE KEY-----");
    await symlink(join(root, "server.key"), join(root, "key.js"));
    await write(".env", "SECRET=1");
    await write(".env.js", "SECRET=1");
    const specifiers = ["../secret.js", "../secret", "./.env", "./.env.js", "./server.key", "./key.js", "./key"];
    await write("main.js", specifiers.map((specifier) => `import "${specifier}";`).join("\n"));
    expect(await found("main.js")).toEqual(["main.js"]);
  });
});

describe("files of installed packages", () => {
  it("are sent when the text names them, after the program's own, with room reserved", async () => {
    const packaged = ["node_modules/a/dist/index.js", "node_modules/.pnpm/b@1/node_modules/b/b.js", "vendor/a.rb"];
    for (const name of packaged) await write(name, 'import "./other.js"');
    await write("node_modules/a/dist/other.js");
    const imports = Array.from({ length: 25 }, (_, index) => `part-${index}.js`);
    await write("main.js", imports.map((name) => `import "./${name}";`).join("\n"));
    for (const name of imports) await write(name);
    expect(await found([...packaged, "/srv/app/node_modules/a/dist/index.js", "main.js"].join("\n"))).toEqual([
      ...["main.js", ...imports.slice(0, 16), ...packaged],
    ]);
  });

  it("aren't sent when they are of Whence's own client", async () => {
    const names = ["node_modules/@whence/node/dist/index.js", ".venv/lib/site-packages/whence/api.py"];
    const others = ["node_modules/whence/index.js"];
    for (const name of [...names, ...others]) await write(name);
    expect(await found([...names, ...others].join("\n"))).toEqual(others);
  });

  it("aren't found by file name alone, and hidden ones aren't sent", async () => {
    await write("node_modules/a/index.js");
    await write("node_modules/a/.cache/b.js");
    expect(await found("at f (index.js:1:1)\nat g (node_modules/a/.cache/b.js:1:1)")).toEqual([]);
  });
});

describe("files left out even when a text names them", () => {
  it("are those outside of the folder", async () => {
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

  it("are hidden ones and build output", async () => {
    const names = [".ssh/key.js", ".hidden.js", "dist/a.js", "build/a.js", "lib/__pycache__/a.py"];
    for (const name of names) await write(name);
    await symlink(join(root, ".ssh"), join(root, "shown"));
    expect(await found([...names, "shown/key.js"].join("\n"))).toEqual([]);
  });

  it("are those that aren't code", async () => {
    for (const name of ["config.json", "notes.txt", "key.pem", "Makefile"]) await write(name);
    expect(await found("config.json notes.txt key.pem Makefile")).toEqual([]);
  });
});

describe("manifests", () => {
  it("in the folder come last, whatever the text names", async () => {
    for (const name of ["package.json", "ledger.gemspec", "src/user.js", "src/package.json"]) await write(name);
    expect(await found("at f (src/user.js:1:1)")).toEqual(["src/user.js", "ledger.gemspec", "package.json"]);
    expect(await found("at f (src/user.js:1:1)", { files: 1, bytes: 100 })).toEqual(["src/user.js"]);
  });

  it("are never links or files that may hold passwords", async () => {
    await writeFile(join(temporary.path, "outside.json"), "{}");
    await symlink(join(temporary.path, "outside.json"), join(root, "package.json"));
    for (const name of ["gradle.properties", "settings.json", ".npmrc"]) await write(name);
    expect(await found("Error: no stack")).toEqual([]);
  });
});
