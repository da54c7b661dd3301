import { describe, expect, it } from "vitest";
import { type FileNotRead, gather, gatherLimits, parseEvent, parseText, type SourceFiles } from "../../src/index.ts";
import { exception, foreignFrame, frameAt, type Program, reportedEvent } from "../reported-event.ts";

/** Other files of a program that is too large to be read as a whole. */
const others = Array.from({ length: gatherLimits.filesMax + 1 }, (_, at) => `src/others/part-${at}.ts`);

/** A large program's source in memory. Files of packages are there and not listed, as providers have them. */
function sourcesOf(program: Program): SourceFiles {
  const { paths, ...sources } = smallSourcesOf(program);
  return { ...sources, paths: async () => [...(await paths()), ...others] };
}

/** The source of a program that has only these files. */
function smallSourcesOf(program: Program): SourceFiles {
  return {
    paths: async () => Object.keys(program).filter((path) => !path.startsWith("node_modules/")),
    async read(path, bytesMax) {
      const text = program[path];
      if (text === undefined) return { outcome: "absent" };
      return text.length > bytesMax ? { outcome: "too-large" } : { outcome: "read", text, version: "in memory" };
    },
    search: async (words) =>
      Object.entries(program).flatMap(([path, text]) => (words.some((word) => text.includes(word)) ? [path] : [])),
  };
}

/** The program where it runs: its files below a folder of the machine. */
const deployed = (program: Program, root: string): Program =>
  Object.fromEntries(Object.entries(program).map(([path, text]) => [`${root}${path}`, text]));

const failing = (frames: Parameters<typeof exception>[2], message = "boom") =>
  parseEvent(reportedEvent({ exceptions: [exception("Error", message, frames)] }));

const shop: Program = {
  "src/routes.ts": 'import { price } from "./price.js";\nexport const show = () => price();\n',
  "src/price.ts": 'import { rates } from "./rates";\nexport const price = () => rates().today;\n',
  "src/rates/index.ts": "export const rates = () => undefined;\n",
  "src/unrelated.ts": "export const zone = process.env.SHOP_TIME_ZONE;\n",
};
const running = deployed(shop, "/srv/shop/");
const showFrame = frameAt(running, "/srv/shop/src/routes.ts", "price();", "show");

describe("gathering code", () => {
  it("reads the files on the stack and their imports, under the stack's paths", async () => {
    const { files, notRead } = await gather({ error: failing([showFrame]), route: undefined }, sourcesOf(shop));
    expect(files.map(({ name }) => name)).toEqual([
      "/srv/shop/src/routes.ts",
      "/srv/shop/src/price.ts",
      "/srv/shop/src/rates/index.ts",
    ]);
    const content = shop["src/price.ts"];
    expect(files[1]).toEqual({ name: "/srv/shop/src/price.ts", path: "src/price.ts", content, version: "in memory" });
    expect(notRead).toEqual([]);
  });

  it("reads a package's own code for the trace of an installation", async () => {
    const log = `Traceback (most recent call last):
  File "/home/ada/report.py", line 2, in <module>
    show(1)
  File "/usr/lib/python3/site-packages/ledger/tables.py", line 2, in show
    return render(table)
TypeError: boom`;
    const program = {
      "ledger/tables.py": "def show(table):\n    return render(table)\n",
      "tables.py": "def draw():\n    return 1\n",
    };
    const { files } = await gather({ error: parseText(log), route: undefined }, sourcesOf(program));
    expect(files.map(({ name }) => name)).toEqual(["ledger/tables.py"]);
  });

  it("doesn't take code for that of a package with a file of the same name", async () => {
    const log = "Error: boom\n    at handle (/srv/shop/node_modules/express/index.js:1:1)";
    const program = { "index.js": "export const start = () => undefined;\n" };
    const { files } = await gather({ error: parseText(log), route: undefined }, sourcesOf(program));
    expect(files).toEqual([]);
  });

  it("reads files that contain an environment variable that the error names", async () => {
    const error = failing([showFrame], "SHOP_TIME_ZONE is not a time zone");
    const { files } = await gather({ error, route: undefined }, sourcesOf(shop));
    expect(files.at(-1)?.name).toBe("/srv/shop/src/unrelated.ts");
  });

  it("reads files that contain a function that failed, because its caller may not be on the stack", async () => {
    const program = { ...shop, "src/refunds.ts": 'import { keepTrail } from "./trail";\nkeepTrail();\n' };
    const { files } = await gather(
      { error: failing([{ ...showFrame, function: "keepTrail" }]), route: undefined },
      sourcesOf(program),
    );
    expect(files.at(-1)?.name).toBe("/srv/shop/src/refunds.ts");
  });

  it("follows the names of the project's own packages, and hands on the manifests that give them", async () => {
    const program = {
      "apps/api/main.ts": 'import { price } from "@shop/prices";\nexport const show = () => price();\n',
      "packages/prices/package.json": '{ "name": "@shop/prices" }',
      "packages/prices/src/index.ts": "export const price = () => undefined;\n",
      "packages/other/package.json": '{ "name": "@shop/other" }',
    };
    const frame = frameAt(deployed(program, "/srv/shop/"), "/srv/shop/apps/api/main.ts", "price();", "show");
    const { files } = await gather({ error: failing([frame]), route: undefined }, sourcesOf(program));
    expect(files.map(({ path }) => path)).toEqual([
      "apps/api/main.ts",
      "packages/prices/src/index.ts",
      "packages/prices/package.json",
    ]);
  });

  it("reads files that a name in the error leads to before imports that are far away", async () => {
    const links = Array.from({ length: 30 }, (_, at) => [`src/m${at}.ts`, `import "./m${at + 1}.ts";\n`] as const);
    const program = {
      ...Object.fromEntries(links),
      "src/zone.ts": "export const zone = process.env.SHOP_TIME_ZONE;\n",
    };
    const frame = frameAt(deployed(program, "/srv/shop/"), "/srv/shop/src/m0.ts", "import", "show");
    const error = failing([frame], "SHOP_TIME_ZONE is not a time zone");
    const { files } = await gather({ error, route: undefined }, sourcesOf(program));
    expect(files.map(({ path }) => path).slice(0, 5)).toEqual([
      "src/m0.ts",
      "src/m1.ts",
      "src/m2.ts",
      "src/zone.ts",
      "src/m3.ts",
    ]);
  });

  it("reads a data file that the error names", async () => {
    const program = { ...shop, "data/rates.json": "{" };
    const error = failing([showFrame], "cannot read /srv/shop/data/rates.json: it ends too soon");
    const { files } = await gather({ error, route: undefined }, sourcesOf(program));
    expect(files.map(({ name }) => name)).toContain("/srv/shop/data/rates.json");
  });

  it.each([
    'join(import.meta.dirname, "rates.json")',
    'new URL("../data/rates.json", import.meta.url)',
    '"/data/rates.json"',
  ])("reads the data file whose path is in the code when some JSON couldn't be parsed: %s", async (written) => {
    const file = written.includes("data") ? "data/rates.json" : "src/rates.json";
    const routes = `const file = ${written};\nconst tools = "./package.json";\n${shop["src/routes.ts"]}`;
    const program = { ...shop, "src/routes.ts": routes, [file]: "{", "src/package.json": "{}" };
    const frame = frameAt(deployed(program, "/srv/shop/"), "/srv/shop/src/routes.ts", "price();", "show");
    const dataFiles = async (message: string): Promise<readonly string[]> => {
      const { files } = await gather({ error: failing([frame], message), route: undefined }, sourcesOf(program));
      return files.flatMap(({ name }) => (name.endsWith(".json") ? [name] : []));
    };
    expect(await dataFiles("Unexpected end of JSON input")).toEqual([`/srv/shop/${file}`]);
    expect(await dataFiles("boom")).toEqual([]);
  });

  it("reads a few files of installed packages after the service's own on the stack", async () => {
    const packages = Array.from({ length: 9 }, (_, at) => `node_modules/web/lib/layer-${at}.js`);
    const program = { ...shop, ...Object.fromEntries(packages.map((path) => [path, "handle();\n"])) };
    const frames = packages.map((path) => foreignFrame(`/srv/shop/${path}`, 1, "handle"));
    const { files } = await gather({ error: failing([...frames, showFrame]), route: undefined }, sourcesOf(program));
    expect(files[0]?.name).toBe("/srv/shop/src/routes.ts");
    expect(files.filter(({ name }) => name.includes("node_modules"))).toHaveLength(gatherLimits.packagedFilesMax);
  });

  it("follows a source map to its original files", async () => {
    const built = {
      "dist/app.js": "show();\n//# sourceMappingURL=app.js.map\n",
      "dist/app.js.map": JSON.stringify({ version: 3, sources: ["../src/routes.ts"], mappings: "AAAA" }),
      ...shop,
    };
    const frame = frameAt(deployed(built, "/app/"), "/app/dist/app.js", "show()", "show");
    const { files } = await gather({ error: failing([frame]), route: undefined }, sourcesOf(built));
    expect(files.map(({ name }) => name).slice(0, 3)).toEqual([
      "/app/dist/app.js",
      "/app/dist/app.js.map",
      "/app/src/routes.ts",
    ]);
  });

  it.each<[string, Program, (typeof showFrame)[], FileNotRead["why"]]>([
    ["is not in the source", {}, [showFrame], "absent"],
    [
      "has other lines than those that ran",
      { "src/routes.ts": "export const show = null;\n" },
      [showFrame],
      "other-version",
    ],
    [
      "is too large",
      { "src/routes.ts": `${shop["src/routes.ts"]}//${"x".repeat(gatherLimits.fileBytesMax)}` },
      [showFrame],
      "too-large",
    ],
  ])("reports that a file on the stack %s, and leaves it out", async (_what, program, frames, why) => {
    const { files, notRead } = await gather({ error: failing(frames), route: undefined }, sourcesOf(program));
    expect(files).toEqual([]);
    expect(notRead).toEqual([{ file: "/srv/shop/src/routes.ts", why }]);
  });

  it("takes neither of two files that the stack may refer to", async () => {
    const program = { "a/src/routes.ts": "x\ny\n", "b/src/routes.ts": "x\ny\n" };
    const frame = { ...showFrame, context: undefined };
    const { files } = await gather({ error: failing([frame]), route: undefined }, sourcesOf(program));
    expect(files).toEqual([]);
  });

  it("takes the file at the printed path, wherever else a path ends with it", async () => {
    const log = "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\tdepot/main.go:3 +0x1d\n";
    const main = "package main\n\nfunc main() { panic(1) }\n";
    const program = { "old/depot/main.go": main, "depot/main.go": main };
    const { files } = await gather({ error: parseText(log), route: undefined }, sourcesOf(program));
    expect(files[0]?.path).toBe("depot/main.go");
  });

  it("reads the files of a text's other errors only where those of the first are tests, or absent", async () => {
    const thrown = (file: string): string => `Error: ${file}\n    at show (/srv/${file}:1:1)\n`;
    const program = { "shop/a.js": "show();\n", "shop/b.js": "show();\n", "test/a.test.js": "show();\n" };
    const read = async (text: string): Promise<string[]> => {
      const gathered = await gather({ error: parseText(text), route: undefined }, sourcesOf(program));
      return gathered.files.map(({ path }) => path);
    };
    expect(await read(`${thrown("shop/a.js")}${thrown("shop/b.js")}`)).toEqual(["shop/a.js"]);
    expect(await read(`${thrown("lib/x.js")}${thrown("shop/b.js")}`)).toEqual(["shop/b.js"]);
    expect(await read(`${thrown("test/a.test.js")}${thrown("shop/b.js")}`)).toEqual(["test/a.test.js", "shop/b.js"]);
  });

  it("stops at the limit of files, and names those that had no room", async () => {
    const many = Array.from({ length: gatherLimits.filesMax + 5 }, (_, at) => `part-${at}`);
    const program = {
      "src/routes.ts": `${shop["src/routes.ts"]}${many.map((name) => `import "./${name}.ts";\n`).join("")}`,
      ...Object.fromEntries(many.map((name) => [`src/${name}.ts`, "export {};\n"])),
    };
    const frame = frameAt(deployed(program, "/srv/shop/"), "/srv/shop/src/routes.ts", "price();");
    const { files, notRead } = await gather({ error: failing([frame]), route: undefined }, sourcesOf(program));
    expect(files).toHaveLength(gatherLimits.filesMax);
    expect(notRead).toHaveLength(6);
    expect(new Set(notRead.map(({ why }) => why))).toEqual(new Set(["no-room"]));
  });

  it("stops at the limit of bytes", async () => {
    const large = `//${"x".repeat(gatherLimits.fileBytesMax - 100)}\n`;
    const program = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`src/part-${at}.ts`, `import "./part-${at + 1}.ts";\n${large}`]),
    );
    const frame = { ...showFrame, file: "/srv/shop/src/part-0.ts", line: 1, context: undefined };
    const { files } = await gather({ error: failing([frame]), route: undefined }, sourcesOf(program));
    const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
    expect(bytes).toBeLessThanOrEqual(gatherLimits.bytesMax);
    expect(files.length).toBeGreaterThan(3);
  });
});

describe("gathering a small program", () => {
  const read = async (program: Program): Promise<string[]> => {
    const { files } = await gather({ error: failing([showFrame]), route: undefined }, smallSourcesOf(program));
    return files.map(({ path }) => path);
  };

  it("reads the whole of it, the files that the error leads to before the others", async () => {
    const settings = { "config/rates.json": "{}", "migrations/001.sql": "create table rates (today int)" };
    expect(await read({ ...settings, ...shop })).toEqual([
      ...["src/routes.ts", "src/price.ts", "src/rates/index.ts"],
      ...["config/rates.json", "migrations/001.sql", "src/unrelated.ts"],
    ]);
  });

  it("leaves out what doesn't run in the service, and code that was built from other files", async () => {
    const beside = ["test/price.test.ts", "provoke.ts", "README.md", "package-lock.json", "dist/a.js", "dist/a.js.map"];
    const files = await read({ ...shop, ...Object.fromEntries(beside.map((path) => [path, ""])) });
    expect(files.toSorted()).toEqual(Object.keys(shop).toSorted());
  });

  it("reads that of the package on the stack, in a repository of several", async () => {
    const frame = { ...showFrame, file: "/srv/shop/services/orders/src/routes.ts" };
    const placed = Object.fromEntries(Object.entries(shop).map(([path, text]) => [`services/orders/${path}`, text]));
    const program = { ...placed, "services/orders/package.json": "{}", "services/mail/src/send.ts": "" };
    const { files } = await gather({ error: failing([frame]), route: undefined }, smallSourcesOf(program));
    expect(files.map(({ path }) => path).toSorted()).toEqual(Object.keys(placed).toSorted());
  });

  it("reads none of the others if there isn't room for all", async () => {
    const most = gatherLimits.filesMax - Object.keys(shop).length;
    const parts = (count: number) => Object.fromEntries(others.slice(0, count).map((path) => [path, ""]));
    expect(await read({ ...shop, ...parts(most) })).toHaveLength(gatherLimits.filesMax);
    expect(await read({ ...shop, ...parts(most + 1) })).toHaveLength(3);
  });
});

describe("a file that only names what failed", () => {
  const naming = (path: string) => ({ "src/routes.ts": shop["src/routes.ts"] ?? "", [path]: "show();\nPRICE_URL\n" });
  const about = { error: failing([showFrame], "PRICE_URL is not set"), route: undefined };

  it("is read when it may run in the service", async () => {
    const { files } = await gather(about, sourcesOf(naming("src/settings.ts")));
    expect(files.map(({ path }) => path)).toContain("src/settings.ts");
  });

  it("is not read when it was built from files that are read", async () => {
    const built = { "dist/settings.js": "show();\nPRICE_URL\n", "dist/settings.js.map": "{}" };
    const { files } = await gather(about, sourcesOf({ ...naming("src/settings.ts"), ...built }));
    expect(files.map(({ path }) => path)).toEqual(["src/routes.ts", "src/settings.ts"]);
  });

  it.each(["test/routes.ts", "provoke.ts", "scripts/check.ts", "package-lock.json", "dist/routes.js.map"])(
    "is not read when it tests, builds, or provokes the service, or was generated: %s",
    async (path) => {
      const { files } = await gather(about, sourcesOf(naming(path)));
      expect(files.map((file) => file.path)).not.toContain(path);
    },
  );
});

describe("gathering code for an error without calls", () => {
  const limit = { "src/client.ts": "export const signal = () => AbortSignal.timeout(limitMs);\n" };
  const stackless = (type: string) =>
    parseEvent(reportedEvent({ exceptions: [exception(type, "The operation was aborted due to timeout", [])] }));

  it("reads all of a small program", async () => {
    const about = { error: stackless("Error"), route: undefined };
    const { files } = await gather(about, smallSourcesOf({ ...shop, ...limit }));
    expect(files.map(({ path }) => path)).toEqual([...Object.keys(shop), "src/client.ts"]);
  });

  it("reads what sets a time limit of a large one, if a limit has passed", async () => {
    const about = { error: stackless("TimeoutError"), route: undefined };
    const { files } = await gather(about, sourcesOf({ ...shop, ...limit }));
    expect(files.map(({ path }) => path)).toEqual(["src/client.ts"]);
  });

  it("reads nothing of a large one otherwise", async () => {
    const { files } = await gather({ error: stackless("Error"), route: undefined }, sourcesOf({ ...shop, ...limit }));
    expect(files).toEqual([]);
  });
});

describe("gathering code of other languages", () => {
  it.each<[string, string, Program, string[]]>([
    [
      "Python",
      'Traceback (most recent call last):\n  File "/app/shop/cart.py", line 2, in total\n    return price()\nValueError: no price',
      {
        "shop/cart.py": "from .prices import price\nreturn price()\n",
        "shop/prices.py": "import shop.rates\n",
        "shop/rates.py": "x = 1\n",
      },
      ["shop/cart.py", "shop/prices.py", "shop/rates.py"],
    ],
    [
      "Go",
      "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/cmd/shop/main.go:5 +0x1d\nexit status 2",
      {
        "cmd/shop/main.go": 'package main\n\nimport (\n\t"example.com/shop/internal/stock"\n)\nfunc main() {}\n',
        "cmd/shop/flags.go": "package main\n",
        "internal/stock/stock.go": "package stock\n",
        "internal/stock/stock_test.go": "package stock\n",
      },
      ["cmd/shop/main.go", "cmd/shop/flags.go", "internal/stock/stock.go"],
    ],
    [
      "Java",
      'Exception in thread "main" java.lang.IllegalStateException: boom\n\tat com.acme.shop.Cart.total(Cart.java:4)',
      {
        "src/main/java/com/acme/shop/Cart.java":
          "package com.acme.shop;\nimport com.acme.price.Prices;\nclass Cart {\n  Line line;\n}\n",
        "src/main/java/com/acme/shop/Line.java": "class Line {}\n",
        "src/main/java/com/acme/price/Prices.java": "class Prices {}\n",
      },
      [
        "src/main/java/com/acme/shop/Cart.java",
        "src/main/java/com/acme/shop/Line.java",
        "src/main/java/com/acme/price/Prices.java",
      ],
    ],
    [
      "Ruby",
      "/app/lib/cart.rb:2:in `total': boom (RuntimeError)\n\tfrom /app/main.rb:3:in `<main>'",
      {
        "lib/cart.rb": 'require_relative "prices"\nraise "boom"\n',
        "lib/prices.rb": "X = 1\n",
        "main.rb": "require 'cart'\n\nCart.new\n",
      },
      ["lib/cart.rb", "main.rb", "lib/prices.rb"],
    ],
  ])("follows the imports of %s", async (_language, text, program, expected) => {
    const { files } = await gather({ error: parseText(text), route: undefined }, sourcesOf(program));
    expect(files.map(({ name }) => expected.find((path) => name.endsWith(path)) ?? name)).toEqual(expected);
  });
});
