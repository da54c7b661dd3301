import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathsInText } from "../../src/sources/paths-in-text.ts";

describe("paths in an error text", () => {
  it.each([
    ["    at load (/srv/app/src/user.js:4:17)", ["/srv/app/src/user.js"]],
    ["    at file:///srv/app/src/user.mjs:4:17", ["/srv/app/src/user.mjs"]],
    ["    at async main (src/my.file.ts:1:1)", ["src/my.file.ts"]],
    ["    at Object.<anonymous> (C:\\work\\app\\index.js:1:1)", ["C:/work/app/index.js"]],
    ["    at f (webpack:///./src/a.tsx?1234:1:1)", ["./src/a.tsx"]],
    ["    at f (webpack-internal:///(rsc)/./src/a.ts:1:1)", ["/./src/a.ts"]],
    ['  File "/srv/my app/main.py", line 3, in <module>', ["/srv/my app/main.py", "app/main.py"]],
    ['{"stack": "Traceback:\\n  File \\"/srv/app/main.py\\", line 3, in f"}', ["/srv/app/main.py"]],
    ["\tat com.acme.shop.Cart.total(Cart.java:10)", ["com/acme/shop/Cart.java", "Cart.java"]],
    ["\tat app//com.acme.Main$Inner.run(Main.kt:3)", ["com/acme/Main.kt", "Main.kt"]],
    ["\t/go/src/app/main.go:12 +0x1d", ["/go/src/app/main.go"]],
    ["app/models/user.rb:7:in `name'", ["app/models/user.rb"]],
    ["   at Acme.Cart.Total() in /src/Cart.cs:line 10", ["/src/Cart.cs"]],
    ["#0 /var/www/index.php(12): f()", ["/var/www/index.php"]],
    ["src/main.rs:4:5", ["src/main.rs"]],
    ["see .env, config.json, id_rsa and https://example.com/page.html", []],
    ["no path. js is a language", []],
  ])("of %j are %j", (line, paths) => {
    expect(pathsInText(line)).toEqual(paths);
  });

  it("are listed once each, in the order of their mention", () => {
    expect(pathsInText("b.js a.js\nb.js:1\nc.js")).toEqual(["b.js", "a.js", "c.js"]);
  });

  it("begin, in a long log, with those near the failures of the last step that failed", () => {
    const listed = (folder: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `  compiled ${folder}/file${index}.ts`);
    const log = [
      "##[group]Run pnpm lint",
      ...Array.from({ length: 30 }, (_, index) => `lint/file${index}.ts:3:1 error no-var`),
      "##[endgroup]",
      "##[group]Run pnpm build",
      ...listed("build", 250),
      "##[endgroup]",
      "##[group]Run pnpm test",
      ...listed("passed", 100),
      " FAIL  test/cart.test.ts > adds tax",
      "AssertionError: expected 1190 to be 1200",
      "    at withTax (src/cart.ts:9:3)",
      ...listed("after", 60),
      "##[group]Post job cleanup",
      ...listed("post", 30),
    ].join("\n");
    const paths = pathsInText(log);
    const of = (folder: string) => paths.findIndex((path) => path.startsWith(`${folder}/`));
    expect(paths.slice(0, 5)).toContain("test/cart.test.ts");
    expect(paths.slice(0, 5)).toContain("src/cart.ts");
    expect(of("passed")).toBeLessThan(of("lint"));
    expect(paths).toHaveLength(200);
  });

  it("are the first ones of a long log in which nothing failed", () => {
    const log = Array.from({ length: 300 }, (_, index) => `compiled src/file${index}.ts`).join("\n");
    expect(pathsInText(log)).toEqual(Array.from({ length: 200 }, (_, index) => `src/file${index}.ts`));
  });

  it("are found in any text, without an error", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => Array.isArray(pathsInText(text))));
  });
});
