import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

/** A library's own code, and where a user has it installed. */
const library = {
  "ledger/render.py": `def render(table, width):
    return "\\n".join(row_text(row, width) for row in table.rows)


def row_text(row, width):
    return row.label.ljust(width)
`,
  "ledger/tables.py": `from .render import render


def show(table):
    return render(table, table.width)
`,
};
const installed = "/usr/lib/python3/site-packages";
const traceback = `Traceback (most recent call last):
  File "/home/ada/report.py", line 12, in main
    print(show(monthly))
  File "${installed}/ledger/tables.py", line 5, in show
    return render(table, table.width)
  File "${installed}/ledger/render.py", line 6, in row_text
    return row.label.ljust(width)
AttributeError: 'Total' object has no attribute 'label'`;

const unrelated = Object.fromEntries(
  Array.from({ length: 16 }, (_, index) => [
    `ledger/part_${index}.py`,
    `class Part${index}:\n    def label(self, row, width):\n        return row.width\n`,
  ]),
);

async function firstPlace(files: Readonly<Record<string, string>>, log = traceback) {
  const { report } = await investigated(textSubject(log, files));
  return report.root_cause.location;
}

describe("a library's trace from an installation", () => {
  it("is about the library when its code is given, and not about the program that uses it", async () => {
    expect((await firstPlace(library))?.file).toMatch(/^ledger\//);
  });

  it("names the same file however many files are given that nothing leads to", async () => {
    const alone = await firstPlace(library);
    expect(await firstPlace({ ...library, ...unrelated })).toEqual(alone);
  });

  it("never takes a file of the same base name for one on the stack", async () => {
    const { report } = await investigated(
      textSubject(traceback, { "invoices/render.py": "def total(rows):\n    return sum(rows)\n".repeat(9) }),
    );
    expect(report.root_cause.location?.file).toBe(`${installed}/ledger/render.py`);
    const other = report.candidates.find(({ location }) => location?.file === "invoices/render.py");
    expect(other?.score ?? 0).toBeLessThan(report.candidates[0]?.score ?? 0);
  });
});

describe("a path whose folders were left out", () => {
  it("is a file like any other", async () => {
    const shortened = traceback.replaceAll(installed, "[...]/site-packages");
    expect((await firstPlace(library, shortened))?.file).toMatch(/^ledger\//);
    expect((await firstPlace({}, shortened))?.file).toBe("[...]/site-packages/ledger/render.py");
  });
});

describe("a helper in the folder of tests that Maven has", () => {
  it("isn't the program, however deep its package is", async () => {
    const log = `java.lang.IllegalStateException: late
\tat org.acme.depot.support.Harness.end(Harness.java:3)
\tat org.acme.depot.Intake.receive(Intake.java:3)`;
    const files = {
      "src/test/java/org/acme/depot/support/Harness.java":
        "class Harness {\n  void end() {\n    throw new IllegalStateException(late);\n  }\n}\n",
      "src/main/java/org/acme/depot/Intake.java": "class Intake {\n  void receive() {\n    harness.end();\n  }\n}\n",
    };
    expect((await firstPlace(files, log))?.file).toBe("src/main/java/org/acme/depot/Intake.java");
  });
});

describe("a library that many programs use", () => {
  it("isn't named for what its guard refused to a program", async () => {
    const log = `java.lang.NullPointerException: rows
\tat com.google.common.base.Preconditions.checkNotNull(Preconditions.java:906)
\tat org.example.ledger.Tables.render(Tables.java:31)
\tat org.example.ledger.Report.main(Report.java:12)`;
    expect((await firstPlace({}, log))?.file).toBe("org/example/ledger/Tables.java");
  });

  it("is named where nothing else is on the stack", async () => {
    const log = `java.lang.NullPointerException: rows
\tat com.google.common.base.Preconditions.checkNotNull(Preconditions.java:906)
\tat com.google.common.collect.Maps.uniqueIndex(Maps.java:1290)`;
    expect((await firstPlace({}, log))?.file).toMatch(/^com\/google\/common\//);
  });
});

describe("a library in which an application fails", () => {
  const under = (frames: string): string => `Traceback (most recent call last):
${frames}  File "${installed}/ledger/tables.py", line 5, in show
    return render(table, table.width)
  File "${installed}/ledger/render.py", line 6, in row_text
    return row.label.ljust(width)
AttributeError: 'Total' object has no attribute 'label'`;
  const called = `  File "/srv/depot/depot/reports.py", line 41, in monthly
    return show(self.rows)
  File "/srv/depot/depot/rows.py", line 7, in rows
    return show(table)
`;

  it("isn't what the application's author asks about", async () => {
    expect((await firstPlace({}, under(called)))?.file).toBe("/srv/depot/depot/rows.py");
    const started = `  File "/srv/depot/main.py", line 3, in <module>\n    monthly()\n${called}`;
    expect((await firstPlace({}, under(started)))?.file).toBe("/srv/depot/depot/rows.py");
  });

  it("may be what a script of two files or a test is about", async () => {
    const script = called.replace("in monthly", "in <module>");
    expect((await firstPlace({}, under(script)))?.file).toBe(`${installed}/ledger/render.py`);
    const test = called.replaceAll(/depot\/(?=\w+\.py)/g, "tests/test_");
    expect((await firstPlace({}, under(test)))?.file).toBe(`${installed}/ledger/render.py`);
  });
});

describe("a project that a manifest names", () => {
  it("isn't another one whose files are beside no package of it", async () => {
    const log = `Traceback (most recent call last):
  File "/opt/stack/ledger/ledger/tables.py", line 5, in show
    return render(table, table.width)
  File "/opt/stack/views/views/render.py", line 6, in row_text
    return row.label.ljust(width)
AttributeError: 'Total' object has no attribute 'label'`;
    const manifest = { "setup.cfg": "[metadata]\nname = ledger\n" };
    expect((await firstPlace({}, log))?.file).toBe("/opt/stack/views/views/render.py");
    expect((await firstPlace(manifest, log))?.file).toBe("/opt/stack/ledger/ledger/tables.py");
    const below = log.replace("/opt/stack/ledger/ledger", "ledger");
    expect((await firstPlace(manifest, below))?.file).toBe("ledger/tables.py");
    const beside = log.replace("stack/views/views", "stack/ledger/views");
    expect((await firstPlace(manifest, beside))?.file).toBe("/opt/stack/ledger/views/render.py");
  });
});

describe("a promise that nothing awaits in the file that failed", () => {
  it("isn't the place of another failure there", async () => {
    const log = `TypeError: Cannot read properties of undefined (reading 'rows')
    at total (/srv/shop/tables.js:2:16)
    at report (/srv/shop/tables.js:6:10)`;
    const place = await firstPlace(
      {
        "tables.js":
          "export function total(table) {\n  return table.rows.length;\n}\n\nexport function report(table) {\n  return total(table);\n}\n\nasync function save(table) {}\n\nexport function keep(table) {\n  save(table);\n}\n",
      },
      log,
    );
    expect(place?.function).not.toBe("keep");
  });
});

describe("code of another version than the one that failed", () => {
  it("is read where the printed line is now", async () => {
    const moved = { ...library, "ledger/render.py": `${"# license\n".repeat(30)}${library["ledger/render.py"]}` };
    const { report } = await investigated(textSubject(traceback, moved));
    const lines = report.candidates.flatMap(({ location }) =>
      location?.file === "ledger/render.py" ? [location.line] : [],
    );
    expect(lines.every((line) => line === null || line > 30)).toBe(true);
    expect(lines.length).toBeGreaterThan(0);
    expect(report.not_checked).toContain(
      "Source: `ledger/render.py` is of another version than the one that ran: the stack's line 6, `return row.label.ljust(width)`, is line 36 there.",
    );
  });

  it("tells nothing at a line that is in another function than the printed one", async () => {
    const rewritten =
      "def pad(text, width):\n    return text.rjust(width)\n\n\ndef other(row):\n    return row.label.upper()\n";
    const { report } = await investigated(
      textSubject(traceback, {
        ...library,
        "ledger/render.py": `${rewritten}\n\ndef row_text(row):\n    return str(row)\n`,
      }),
    );
    const inFile = report.candidates.filter(({ location }) => location?.file === "ledger/render.py");
    expect(inFile.map(({ location }) => location?.function)).not.toContain("other");
    expect(report.not_checked.join("\n")).toContain("`return row.label.ljust(width)`, isn't there.");
  });
});

describe("a trace without any code", () => {
  const chain = [
    "Traceback (most recent call last):",
    '  File "/srv/depot/depot/intake.py", line 31, in receive',
    "    shelf = find_shelf(parcel)",
    '  File "/srv/depot/depot/shelves.py", line 18, in find_shelf',
    "    return by_size[parcel.size]",
    "KeyError: 'XL'",
  ];

  it("is about the innermost file of the application, and its callers are no likelier", async () => {
    const { report } = await investigated(textSubject(chain.join("\n"), {}));
    expect(report.candidates.map(({ location }) => location?.file)).toEqual([
      "/srv/depot/depot/shelves.py",
      "/srv/depot/depot/intake.py",
    ]);
    const [innermost, caller] = report.candidates;
    expect(caller?.score).toBeLessThanOrEqual(innermost?.score ?? 0);
  });

  it("is about the code under test rather than the test that it calls back", async () => {
    const test = ['  File "/srv/depot/tests/test_shelves.py", line 9, in size', "    raise KeyError('XL')"];
    const calledBack = [...chain.slice(0, -1), ...test, "KeyError: 'XL'"].join("\n");
    const { report } = await investigated(textSubject(calledBack, {}));
    expect(report.root_cause.location?.file).toBe("/srv/depot/depot/shelves.py");
  });
});

describe("a trace without code whose project a manifest names", () => {
  const manifest = (name: string) => ({ "pyproject.toml": `[project]\nname = "${name}"\n` });
  const throughLibrary = `Traceback (most recent call last):
  File "/srv/shop/report.py", line 12, in main
    print(show(monthly))
  File "${installed}/ledger/tables.py", line 5, in show
    return render(table, table.width)
  File "${installed}/gridlib/cells.py", line 88, in row_text
    return row.label.ljust(width)
AttributeError: 'Total' object has no attribute 'label'`;

  it.each([
    ["ledger", `${installed}/ledger/tables.py`],
    ["gridlib", `${installed}/gridlib/cells.py`],
  ])("is about the innermost call of the package that it names: %s", async (name, file) => {
    expect((await firstPlace(manifest(name), throughLibrary))?.file).toBe(file);
  });

  it("is about the application when none of the installed packages has the name", async () => {
    expect((await firstPlace(manifest("shop"), throughLibrary))?.file).toBe("/srv/shop/report.py");
  });

  it("is never about the package's test while its own code is on the stack", async () => {
    const tested = throughLibrary.replace("gridlib/cells.py", "ledger/tests/test_tables.py");
    expect((await firstPlace(manifest("ledger"), tested))?.file).toBe(`${installed}/ledger/tables.py`);
  });

  it("doesn't name the manifest as a place beside code", async () => {
    const error = "TypeError: Cannot read properties of undefined (reading 'price')\n    at total (src/cart.js:2:20)";
    const files = {
      "package.json": '{ "name": "shop", "version": "1.0.0" }',
      "src/cart.js": "export function total(item) {\n  return item.price;\n}\n",
    };
    const { report } = await investigated(textSubject(error, files));
    expect(report.candidates.map(({ location }) => location?.file)).toEqual(["src/cart.js"]);
  });

  it("doesn't name the manifest as a place", async () => {
    const { report } = await investigated(textSubject("AttributeError: no attribute 'label'", manifest("ledger")));
    expect(report.candidates.map(({ location }) => location?.file)).not.toContain("pyproject.toml");
  });
});

describe("a value that a function off the stack left out", () => {
  const program = {
    "shop/prices.py": `from shop.rates import rate_for


def price(code):
    rate = rate_for(code)
    return rate.lower()
`,
    "shop/rates.py": `def rate_for(code):
    if code in ("a", "b"):
        return "A"
    if code == "c":
        return None
    return "D"
`,
  };
  const log = `Traceback (most recent call last):
  File "/srv/shop/prices.py", line 6, in price
    return rate.lower()
AttributeError: 'NoneType' object has no attribute 'lower'`;
  const parts = (count: number): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`shop/part_${index}.py`, `PART_${index} = ${index}\n`]),
    );

  it("is looked for there in a small program", async () => {
    expect((await firstPlace(program, log))?.file).toBe("shop/rates.py");
  });

  it("is looked for there among many files, too", async () => {
    expect((await firstPlace({ ...program, ...parts(14) }, log))?.file).toBe("shop/rates.py");
  });
});

describe("a call that passes nothing", () => {
  const log = `TypeError: Cannot read properties of null (reading 'amount')
    at totalOf (/srv/orders/src/total.js:2:22)
    at main (/srv/orders/src/main.js:40:3)`;
  const files = {
    "src/total.js": "export function totalOf(order) {\n  return order.price.amount;\n}\n",
    "src/jobs/nightly.js":
      'import { totalOf } from "../total.js";\nfor (const order of stored()) totalOf({ ...order, price: null });\n',
  };
  const others = (count: number): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `src/part${index}.js`,
        `export function openIn${index}(list) {\n  return list.filter((one) => one.open);\n}\n`,
      ]),
    );

  it.each([0, 13, 14, 30])("is a candidate beside %i files that nothing leads to, ahead of them", async (count) => {
    const { report } = await investigated(textSubject(log, { ...files, ...others(count) }));
    const [, second] = report.candidates;
    expect(second?.location?.file).toBe("src/jobs/nightly.js");
    expect(second?.score).toBeGreaterThanOrEqual(0.1);
  });
});

describe("the project's innermost file", () => {
  const log = `java.lang.NullPointerException
\tat org.acme.queues.Broker.send(Broker.java:61)
\tat org.example.ledger.Tables.render(Tables.java:4)`;
  const given = {
    "src/main/java/org/example/ledger/Tables.java": `package org.example.ledger;

class Tables {
  void render(Broker broker) { broker.send(rows); }
}
`,
  };

  it("is one that was given, where only some files of the stack were", async () => {
    expect((await firstPlace(given, log))?.file).toBe("src/main/java/org/example/ledger/Tables.java");
  });
});
