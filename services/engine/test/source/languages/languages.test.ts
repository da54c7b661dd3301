import { describe, expect, it } from "vitest";
import { importedPaths, PathIndex } from "../../../src/index.ts";
import { resolveImport } from "../../../src/source/languages/languages.ts";

function leadsTo(from: string, module: string, files: readonly string[], texts: Readonly<Record<string, string>> = {}) {
  return resolveImport(module, from, { paths: new PathIndex(files), textOf: (path) => texts[path] ?? null });
}

describe("an import", () => {
  it.each([
    ["of a file by its name", "src/a.ts", "./b.ts", ["src/b.ts"], "src/b.ts"],
    ["by what it compiles to", "src/a.ts", "./b.js", ["src/b.ts"], "src/b.ts"],
    ["without an ending, of its own kind first", "src/a.js", "./b", ["src/b.ts", "src/b.js"], "src/b.js"],
    ["of a folder", "src/a.ts", "../lib", ["lib/index.ts"], "lib/index.ts"],
    ["by the alias of a package in a repository of several", "web/src/x/a.ts", "@/b", ["web/src/b.ts"], "web/src/b.ts"],
    ["of the nearest module", "shop/api/a.py", "store", ["store.py", "shop/api/store.py"], "shop/api/store.py"],
    [
      "from the root of imports",
      "/srv/app/shop/api/a.py",
      "shop.store",
      ["/srv/app/shop/store.py"],
      "/srv/app/shop/store.py",
    ],
    ["of the file's own package", "shop/a.py", ".", ["shop/__init__.py"], "shop/__init__.py"],
    ["of a module of the file's own package", "shop/a.py", ".store", ["store.py", "shop/store.py"], "shop/store.py"],
    ["of the package around", "shop/api/a.py", "..store", ["shop/store.py"], "shop/store.py"],
    [
      "of an installed module",
      "app.py",
      "flask",
      ["venv/site-packages/flask/__init__.py"],
      "venv/site-packages/flask/__init__.py",
    ],
    ["of a file beside", "lib/a.rb", "./b", ["lib/b.rb", "b.rb"], "lib/b.rb"],
    ["from the load path", "main.rb", "cart", ["lib/cart.rb"], "lib/cart.rb"],
    ["of a class", "src/shop/A.java", "com.acme.B", ["src/com/acme/B.java"], "src/com/acme/B.java"],
    [
      "of a package's folder",
      "main.go",
      "example.com/shop/store",
      ["store/store.go", "shop/store/a.go"],
      "shop/store/a.go",
    ],
  ])("resolves to one file: %s", (_, from, module, files, expected) => {
    expect(leadsTo(from, module, files)).toEqual([expected]);
  });

  it("is read by its ending where the package's manifest can't be read", () => {
    const texts = { "package.json": "[".repeat(100_000) };
    expect(leadsTo("src/a.js", "./b", ["package.json", "src/b.js"], texts)).toEqual(["src/b.js"]);
    expect(leadsTo("src/a.js", "#b", ["package.json", "src/b.js"], texts)).toEqual([]);
  });

  it("of an installed package resolves to what its package.json names, in the nearest installation", () => {
    const files = ["node_modules/pg/index.js", "api/node_modules/pg/main.js", "api/node_modules/pg/index.js"];
    const texts = { "api/node_modules/pg/package.json": '{"main": "./main.js"}' };
    expect(leadsTo("api/src/a.js", "pg", files, texts)).toEqual(["api/node_modules/pg/main.js"]);
    expect(leadsTo("web/a.js", "pg", files)).toEqual(["node_modules/pg/index.js"]);
  });

  describe("by a name that the project gives", () => {
    const files = [
      ...["package.json", "packages/db/package.json", "packages/db/src/index.ts", "packages/db/src/pool.ts"],
      ...["apps/web/package.json", "apps/web/tsconfig.json", "apps/web/src/main.ts", "apps/web/src/log.ts"],
      ...["tsconfig.base.json", "libs/money/src/index.ts", "index.js"],
    ];
    const texts = {
      "package.json": '{ "name": "shop" }',
      "packages/db/package.json":
        '{ "name": "@shop/db", "main": "./src/index.ts", "exports": { ".": "./dist/index.js", "./*": "./src/*.ts" } }',
      "apps/web/package.json": '{ "name": "web", "imports": { "#log": { "node": "./src/log.ts" } } }',
      "apps/web/tsconfig.json": '{ "extends": "../../tsconfig.base" }',
      "tsconfig.base.json": '{ "compilerOptions": { "paths": { "@libs/*": ["libs/*/src/index.ts"] }, /* all */ } }',
    };

    it.each([
      ["a package beside", "@shop/db", "packages/db/src/index.ts"],
      ["a file that it exports", "@shop/db/pool", "packages/db/src/pool.ts"],
      ["the package itself", "shop", "index.js"],
      ["a subpath of the package", "#log", "apps/web/src/log.ts"],
      ["an alias of TypeScript, inherited and with a comment beside", "@libs/money", "libs/money/src/index.ts"],
    ])("resolves to one file: %s", (_, module, expected) => {
      expect(leadsTo("apps/web/src/main.ts", module, files, texts)).toEqual([expected]);
    });

    it.each(["lodash", "@shop/other", "#other"])("resolves to nothing when no manifest has it: %s", (module) => {
      expect(leadsTo("apps/web/src/main.ts", module, files, texts)).toEqual([]);
    });

    it("resolves to nothing when the manifest is broken", () => {
      const broken = {
        "package.json": "{",
        "apps/web/tsconfig.json": "[]",
        "tsconfig.base.json": '{ "compilerOptions": 1 }',
      };
      expect(leadsTo("apps/web/src/main.ts", "shop", files, broken)).toEqual([]);
    });
  });

  it("resolves to nothing when the file isn't there, or is data", () => {
    expect(leadsTo("a.ts", "./b", ["c.ts"])).toEqual([]);
    expect(leadsTo("a.json", "./b", ["b.ts"])).toEqual([]);
  });
});

describe("the imports of a file", () => {
  it("are read in each of its notations", () => {
    const paths = new PathIndex(["shop/a.py", "shop/b.py", "shop/c.py", "d.py"]);
    expect(importedPaths("shop/a.py", "from . import b\nfrom .c import x\nimport d\n", { paths })).toEqual([
      "shop/b.py",
      "shop/c.py",
      "d.py",
    ]);
  });
});
