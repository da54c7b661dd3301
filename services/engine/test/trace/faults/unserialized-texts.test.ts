import { describe, expect, it } from "vitest";
import { type Files, ofKind, signalsIn, traced } from "../signals-in.ts";

const notJson =
  "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)";
const log = (line: number, message = notJson): string =>
  `Traceback (most recent call last):\n  File "/srv/spool.py", line ${line}, in read\n    return json.loads(text)\n${message}\n`;

/** A spool that reads JSON in its line 10. */
const spool = (write: string, more = ""): Files => ({
  "spool.py": `import json

class Spool:
    def __init__(self, path):
        self.path = path

    def read(self):
        with open(self.path) as file:
            text = file.read()
        return json.loads(text)

    def keep(self, order: dict, note: str):
${write}
${more}
`,
});
const found = async (files: Files, message?: string): Promise<object[]> =>
  ofKind((await traced(log(10, message), files)).signals, "unserialized-text").map(({ args }) => args);

describe("a value that is stored as the language prints it", () => {
  it.each([
    ["str(order)", "        with open(self.path, 'w') as file:\n            file.write(str(order))"],
    ['f"{order}\\n"', '        file = open(self.path, "a")\n        file.write(f"{order}\\n")'],
    ['str(order) + "\\n"', '        with self.path.open("a") as file:\n            file.write(str(order) + "\\n")'],
    ["repr(order)", "        self.path.write_text(repr(order))"],
    ['"%s" % order', '        self.path.write_text("%s" % order)'],
  ])("is found where it is written: %s", async (text, write) => {
    expect(await found(spool(write))).toEqual([{ text, parse: "json.loads" }]);
  });

  it.each([
    ["it is JSON", "        self.path.write_text(json.dumps(order))"],
    ["it is a variable with JSON", "        line = json.dumps(order)\n        self.path.write_text(f'{line}\\n')"],
    ["it is a text", "        self.path.write_text(str(note))"],
    ["it says more than the value", '        self.path.write_text(f"kept {order}")'],
    ["it is written elsewhere", "        self.log.write_text(str(order))"],
    [
      "it is written elsewhere under the same name",
      "        with open(self.path, 'w') as file:\n            json.dump(order, file)\n        with open(self.log, 'w') as file:\n            file.write(str(order))",
    ],
  ])("isn't it when %s", async (_, write) => {
    expect(await found(spool(write))).toEqual([]);
  });

  it.each([
    "json.decoder.JSONDecodeError: Extra data: line 1 column 5 (char 4)",
    "json.decoder.JSONDecodeError: Unterminated string starting at: line 1 column 9 (char 8)",
  ])("isn't it when the text is another one: %s", async (message) => {
    expect(await found(spool("        self.path.write_text(str(order))"), message)).toEqual([]);
  });

  const cart = (write: string): Files => ({
    "read.js":
      "import { store } from './store.js';\n\nexport async function cartOf(user) {\n  const text = await store.get(`cart:${user}`);\n  return JSON.parse(text);\n}\n",
    "write.js": `import { store } from './store.js';\n\nexport async function keep(user, cart) {\n  ${write};\n}\n`,
    "store.js": "export const store = new Redis();\n",
  });
  const objectText = `SyntaxError: Unexpected token 'o', "[object Object]" is not valid JSON`;
  const inJavaScript = async (write: string): Promise<object[]> => {
    const signals = await signalsIn(cart(write), objectText, "JSON.parse (<anonymous>)", "cartOf (/srv/read.js:5:15)");
    return ofKind(signals, "unserialized-text").map(({ args }) => args);
  };

  it.each([
    ["String(cart)", "await store.set(`cart:${user}`, String(cart))"],
    ["`${cart}`", "await store.set(`cart:${user}`, `${cart}`)"],
    ['"" + cart', 'await store.set(`cart:${user}`, "" + cart)'],
    ["cart.toString()", "await store.set(`cart:${user}`, cart.toString())"],
  ])("is found in JavaScript by the key: %s", async (text, write) => {
    expect(await inJavaScript(write)).toEqual([{ text, parse: "JSON.parse" }]);
  });

  it("isn't it under another key", async () => {
    expect(await inJavaScript("await store.set(`list:${user}`, String(cart))")).toEqual([]);
  });
});
