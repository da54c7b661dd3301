import { describe, expect, it } from "vitest";
import type { Clue } from "../../src/findings.ts";
import { parseText } from "../../src/parse/parse.ts";
import { SourceText } from "../../src/source-text.ts";
import { locate } from "../../src/trace/trace-error.ts";

async function cluesIn(log: string, files: Readonly<Record<string, string>>): Promise<readonly Clue[]> {
  const sources = Object.entries(files).map(([name, text]) => new SourceText("source_file", name, text));
  return (await locate(parseText(log), null, sources)).clues;
}

const placeOf = (clue: Clue | undefined): string | undefined => clue && `${clue.place.file}:${clue.place.line}`;
const thrownAt = async (log: string, files: Readonly<Record<string, string>>): Promise<string | undefined> =>
  placeOf((await cluesIn(log, files)).find(({ kind }) => kind === "thrown-by-code"));
const stack = "\n    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)";
const log = `Error: order 4711 has no price for EUR${stack}`;

describe("an error that was thrown off the stack", () => {
  it.each([
    ["a template", `throw new Error(\`order \${order.id} has no price for \${currency}\`);`],
    ["a sum", 'throw new Error("order " + order.id + " has no price for " + currency);'],
    ["util.format", 'throw new Error(format("order %d has no price for %s", order.id, currency));'],
    [
      "a rejection",
      `return new Promise((resolve, reject) => reject(new Error(\`order \${id} has no price for \${c}\`)));`,
    ],
    ["a joined list", 'throw new Error(["order", id, "has no price for", c].join(" "));'],
    ["a constant", 'const text = "order %s has no price for %s";\n  throw new Error(util.format(text, id, c));'],
  ])("is found by its words: %s", async (_, statement) => {
    const code = `function price(order, currency, id, c) {\n  ${statement}\n}\n`;
    const line = statement.includes("\n") ? 3 : 2;
    expect(
      await thrownAt(log, { "src/price.js": code, "src/other.js": `throw new Error(\`order \${id} failed\`);` }),
    ).toBe(`src/price.js:${line}`);
  });

  it("is found by the words that its class hands on", async () => {
    const files = {
      "errors.js": `export class MissingPrice extends Error {\n  constructor(id, c) {\n    super(\`order \${id} has no price for \${c}\`);\n  }\n}\n`,
      "price.js":
        "import { MissingPrice } from './errors.js';\nexport function price(order) {\n  throw new MissingPrice(order.id, 'EUR');\n}\n",
    };
    expect(await thrownAt(log, files)).toBe("price.js:3");
  });

  it("is found by words that stand in a table of another file", async () => {
    const files = {
      "messages.js": `export const messages = { noPrice: (id, c) => \`order \${id} has no price for \${c}\` };\n`,
      "price.js": "import { messages } from './messages.js';\nif (!known) throw new Error(messages.noPrice(id, c));\n",
    };
    expect(await thrownAt(log, files)).toBe("price.js:2");
  });

  it("is found by words that are translated", async () => {
    const files = {
      "locales/en.json": '{ "errors": { "noPrice": "order {{id}} has no price for {{currency}}" } }',
      "price.js": "if (!known) throw new Error(t('errors.noPrice', { id, currency }));\n",
    };
    expect(await thrownAt(log, files)).toBe("price.js:1");
  });

  it("leads to what the condition around it looks at", async () => {
    const code = `const currency = process.env.CURRENCY;\nfunction price(id, table) {\n  if (!currency) throw new Error(\`order \${id} has no price for EUR\`);\n}\n`;
    const clues = await cluesIn(log, { "price.js": code });
    expect(clues.map(({ how }) => how)).toContain("environment");
  });

  it("is not guessed when two places word it alike, and not when hardly a word is written out", async () => {
    const one = `throw new Error(\`order \${id} has no price for \${c}\`);\n`;
    expect(await thrownAt(log, { "a.js": one, "b.js": one })).toBeUndefined();
    expect(await thrownAt(log, { "a.js": `throw new Error(\`order \${text}\`);` })).toBeUndefined();
  });

  it("is found by a line of the log when there is no error", async () => {
    const line = "2026-03-01T02:41:19.000Z ERROR cannot reach the warehouse of Lyon";
    const code = `async function stock(site) {\n  log.error(\`cannot reach the warehouse of \${site.name}\`);\n}\n`;
    expect(await thrownAt(line, { "stock.js": code })).toBe("stock.js:2");
  });
});

describe("a data file that is read by its path", () => {
  const failing = "TypeError: Cannot read properties of undefined (reading 'split')\n    at hosts (/srv/a.js:3:21)\n";
  const code = (name: string): string =>
    `const settings = load(readFileSync("config/${name}", "utf8"));\nexport function hosts() {\n  return settings.hosts.split(",");\n}\n`;

  it.each([
    ["app.yaml", "server:\n  port: 80\nhots: a,b\n", 3],
    ["app.properties", "port=80\nhots=a,b\n", 2],
    ["app.json", '{\n  "hots": "a,b"\n}\n', 2],
  ])("is where a misspelled name is found: %s", async (name, text, line) => {
    const clues = await cluesIn(failing, { "a.js": code(name), [`config/${name}`]: text });
    const setting = clues.find(({ how }) => how === "setting");
    expect(placeOf(setting)).toBe(`config/${name}:${line}`);
    expect(setting?.says).toContain("but `hots`: the name is misspelled");
  });
});

describe("the value that a handler is given", () => {
  const failing = "TypeError: Cannot read properties of undefined (reading 'id')\n    at onPaid (/srv/a.js:2:16)\n";
  const handler = "export function onPaid(order, customer) {\n  return customer.id;\n}\n";

  it("is followed to the call that raises the event", async () => {
    const clues = await cluesIn(failing, {
      "a.js": handler,
      "wire.js": "import { onPaid } from './a.js';\nbus.on('paid', onPaid);\n",
      "pay.js":
        "export function pay(order) {\n  bus.emit('paid', order, order.buyer);\n  bus.emit('failed', order, nobody);\n}\n",
    });
    expect(clues.map((clue) => clue.says)).toContain("`onPaid` is registered here for `paid`");
    expect(clues.map((clue) => `${clue.how} ${placeOf(clue)}`)).toContain("argument pay.js:2");
    expect(clues.map(placeOf)).not.toContain("pay.js:3");
  });

  it("is followed to the call that set the timer", async () => {
    const clues = await cluesIn(failing, {
      "a.js": handler,
      "later.js":
        "import { onPaid } from './a.js';\nexport function later(order) {\n  setTimeout(onPaid, 50, order);\n}\n",
    });
    expect(clues.map((clue) => clue.says)).toContain("`onPaid` is set going by `setTimeout` here");
    expect(clues.map((clue) => clue.says)).toContain("`setTimeout(onPaid, 50, order)` gives nothing for `customer`");
  });
});
