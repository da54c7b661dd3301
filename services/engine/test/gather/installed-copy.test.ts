import { describe, expect, it } from "vitest";
import { gather, parseText } from "../../src/index.ts";
import type { Program } from "../reported-event.ts";

async function gathered(log: string, program: Program, reads: string[] = []): Promise<string[]> {
  const { files } = await gather(
    { error: parseText(log), route: undefined },
    {
      paths: async () => Object.keys(program),
      read: async (path) => {
        reads.push(path);
        const text = program[path];
        return text === undefined ? { outcome: "absent" } : { outcome: "read", text, version: "in memory" };
      },
    },
  );
  return files.map(({ path }) => path);
}

const python = (file: string): string =>
  `Traceback (most recent call last):\n  File "${file}", line 2, in render\n    return table.rows\nAttributeError: boom\n`;

describe("the code of what a user has installed", () => {
  it("is searched once in a file with another's name, even when many calls print it", async () => {
    const call =
      '  File "/usr/lib/python3.12/site-packages/ledger/rows/tables.py", line 2, in render\n    return table.rows_of_ledger\n';
    const reads: string[] = [];
    const log = `Traceback (most recent call last):\n${call.repeat(50)}AttributeError: boom\n`;
    expect(await gathered(log, { "backend/rows/tables.py": "def other():\n    pass\n" }, reads)).toEqual([]);
    expect(reads).toEqual(["backend/rows/tables.py"]);
  });

  it.each([
    {
      of: "a Node.js package in a repository of several",
      path: "packages/ledger/src/tables.js",
      text: "export function render(table) {\n  return table.rows;\n}\n",
      log: "TypeError: boom\n    at render (/home/ada/node_modules/ledger/src/tables.js:2:16)\n    at /home/ada/report.js:3:1\n",
    },
    {
      of: "a Java library in a folder of its build",
      path: "ledger-core/src/main/java/org/springframework/ledger/Tables.java",
      text: "class Tables {\n  Rows render(Table table) { return table.rows(); }\n}\n",
      log: 'Exception in thread "main" java.lang.NullPointerException\n\tat org.springframework.ledger.Tables.render(Tables.java:2)\n',
    },
    {
      of: "a Ruby gem in a repository of several",
      path: "ledger/lib/ledger/tables.rb",
      text: "def render(table)\n  table.rows\nend\n",
      log: "/home/ada/gems/ledger-2.4.0/lib/ledger/tables.rb:2:in `render': undefined method `rows' for nil (NoMethodError)\n\tfrom report.rb:3:in `<main>'\n",
    },
    {
      of: "a Ruby library beside the interpreter",
      path: "lib/ledger/tables.rb",
      text: "def render(table)\n  table.rows\nend\n",
      log: "/usr/lib/ruby/site_ruby/2.5.0/ledger/tables.rb:2:in `render': undefined method `rows' for nil (NoMethodError)\n\tfrom report.rb:3:in `<main>'\n",
    },
    {
      of: "a Python package below src",
      path: "src/ledger/tables.py",
      text: "def render(table):\n    return table.rows\n",
      log: python("/usr/lib/python3.12/site-packages/ledger/tables.py"),
    },
    {
      of: "a Python package in a folder of another name",
      path: "backend/server/tables/rows.py",
      text: "def render(table):\n    return table.rows\n",
      log: python("/usr/lib/python3.12/site-packages/ledger/server/tables/rows.py"),
    },
    {
      of: "a runtime",
      path: "Lib/ledger/tables.py",
      text: "def render(table):\n    return table.rows\n",
      log: python("/usr/lib/python3.12/ledger/tables.py"),
    },
  ])("is read where its repository has it: $of", async ({ path, text, log }) => {
    expect(await gathered(log, { [path]: text, "tables.txt": "" })).toEqual([path]);
  });

  it("is read in a package of another name only where it has the printed code", async () => {
    const frame = '  File "/usr/lib/python3.12/site-packages/ledger/rows/tables.py", line 2, in render\n';
    const log = `Traceback (most recent call last):\n${frame}    rows = yield from table.rows\nAttributeError: boom\n`;
    const path = "backend/rows/tables.py";
    const text = "def render(table):\n    rows = yield from table.rows\n";
    expect(await gathered(log, { [path]: text })).toEqual([path]);
    expect(await gathered(log, { [path]: text.replace("yield from ", "") })).toEqual([]);
  });

  it.each([
    { how: "a lambda", printed: "lambda$render$0" },
    { how: "an accessor", printed: "access$000" },
    { how: "a constructor", printed: "<init>" },
  ])("is recognized in the call of what has no name of its own: $how", async ({ printed }) => {
    const path = "ledger-core/src/main/java/org/springframework/ledger/Tables.java";
    const log = `java.lang.NullPointerException\n\tat org.springframework.ledger.Tables.${printed}(Tables.java:2)\n`;
    const text = "class Tables {\n  Rows render(Table table) { return map(() -> table.rows()); }\n}\n";
    expect(await gathered(log, { [path]: text })).toEqual([path]);
  });

  it("isn't a file of the same name in another folder", async () => {
    const log = python("/usr/lib/python3.12/site-packages/ledger/tables.py");
    expect(await gathered(log, { "shop/tables.py": "def render(table):\n    return table.rows\n" })).toEqual([]);
  });

  it("isn't a file that lacks the function that was called", async () => {
    const log = python("/usr/lib/python3.12/site-packages/ledger/tables.py");
    expect(await gathered(log, { "src/ledger/tables.py": "def draw(table):\n    return table.rows\n" })).toEqual([]);
  });
});

describe("a file that is too short for the printed line", () => {
  it("is read, because only its version differs", async () => {
    const log = python("/srv/shop/tables.py").replace("line 2", "line 40");
    expect(await gathered(log, { "tables.py": "def draw(table):\n    return table.rows\n" })).toEqual(["tables.py"]);
  });
});
