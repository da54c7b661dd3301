import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

/** The comparisons by reference in `isSame`, when a check of its result throws. */
async function inJava(comparison: string, parameters = "String left, String right"): Promise<object[]> {
  const log =
    'Exception in thread "main" java.lang.IllegalArgumentException: kept in EUR, not in EUR\n\tat ledger.Ledger.add(Ledger.java:5)\n';
  const files = {
    "ledger/Ledger.java":
      'package ledger;\n\nclass Ledger {\n  void add(Entry entry) {\n    if (!Currencies.isSame(entry.currency(), currency)) throw new IllegalArgumentException("kept in " + currency);\n  }\n}\n',
    "ledger/Entry.java":
      "package ledger;\n\nrecord Entry(String text, Integer number, String currency, long cents) {\n}\n",
    "ledger/Currencies.java": `package ledger;\n\nclass Currencies {\n  static boolean isSame(${parameters}) {\n    return ${comparison};\n  }\n}\n`,
  };
  return ofKind((await traced(log, files)).signals, "reference-equality");
}

const found = (code: string, type: string) => [{ line: 5, args: { code, type } }];

describe("a comparison by reference in Java", () => {
  it.each([
    ["of texts", "left == right", "String left, String right", "String"],
    ["of boxed numbers", "left != right", "Integer left, final Integer right", "Integer"],
    ["of components of records", "left.number() == right.number()", "Entry left, Entry right", "Integer"],
    ["with a literal", 'left == "EUR"', "String left, String right", "String"],
  ])("is found %s", async (_, code, parameters, type) => {
    expect(await inJava(code, parameters)).toEqual(found(code, type));
  });

  it.each([
    ["of primitive numbers", "left == right", "int left, int right"],
    ["of a boxed and a primitive number", "left == right", "Integer left, int right"],
    ["with null", "left == null", "String left, String right"],
    ["of values of other types", "left == right", "Currency left, Currency right"],
    ["of lists", "left == right", "List<String> left, List<String> right"],
    ["of arrays", "left == right", "String[] left, String[] right"],
    ["that `equals` follows", "left == right || left.equals(right)", "String left, String right"],
    ["of primitive components", "left.cents() == right.cents()", "Entry left, Entry right"],
  ])("isn't suspected %s", async (_, code, parameters) => {
    expect(await inJava(code, parameters)).toEqual([]);
  });
});

it("isn't suspected of a constant that only itself is meant to equal", async () => {
  const log = "java.lang.IllegalStateException: no name\n\tat a.A.name(A.java:6)\n";
  const text = (made: string): string =>
    `package a;\n\nclass A {\n  private static final String NONE = ${made};\n  String name(String given) {\n    if (given == NONE) throw new IllegalStateException("no name");\n    return given;\n  }\n}\n`;
  const found = async (made: string) =>
    ofKind((await traced(log, { "a/A.java": text(made) })).signals, "reference-equality");
  expect(await found('new String("none")')).toEqual([]);
  expect(await found('"none"')).toHaveLength(1);
});

describe("a comparison by reference in JavaScript", () => {
  const inJavaScript = async (condition: string): Promise<object[]> => {
    const files = {
      "due.js": `exports.due = (from, to) => {\n  const one = new Date(from);\n  const two = new Date(to);\n  if (${condition}) throw new Error('not due');\n};\n`,
    };
    return ofKind(await signalsIn(files, "Error: not due", "exports.due (/srv/due.js:4:20)"), "reference-equality");
  };

  it("is found of two objects that are made on the spot", async () => {
    expect(await inJavaScript("one !== two")).toEqual([{ line: 4, args: { code: "one !== two", type: "Date" } }]);
  });

  it.each(["+one !== +two", "one.getTime() !== two.getTime()", "one !== from"])(
    "isn't suspected in %s",
    async (code) => {
      expect(await inJavaScript(code)).toEqual([]);
    },
  );
});

describe("a comparison by reference in Python", () => {
  const inPython = async (condition: string): Promise<object[]> => {
    const log =
      'Traceback (most recent call last):\n  File "/srv/due.py", line 3, in due\n    raise ValueError("not due")\nValueError: not due\n';
    const files = { "due.py": `def due(state, days):\n    if ${condition}:\n        raise ValueError("not due")\n` };
    return ofKind((await traced(log, files)).signals, "reference-equality");
  };

  it("is found with a text or a number", async () => {
    expect(await inPython('state is not "due"')).toEqual([
      { line: 2, args: { code: 'state is not "due"', type: "str" } },
    ]);
    expect(await inPython("days is 1000")).toEqual([{ line: 2, args: { code: "days is 1000", type: "int" } }]);
  });

  it.each(["state is None", "state is not True", 'state == "due"', "state is days"])(
    "isn't suspected in %s",
    async (code) => {
      expect(await inPython(code)).toEqual([]);
    },
  );
});
