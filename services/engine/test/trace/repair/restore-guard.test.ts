import { describe, expect, it } from "vitest";
import { type Files, traced } from "../signals-in.ts";

/** The text of the failing file with the guard that its code would get; null without one. */
async function guarded(log: string, files: Files): Promise<string | null> {
  const { signals, repairs } = await traced(log, files);
  const [repair] = signals.flatMap((signal) => repairs.of(signal)).filter(({ by }) => by === "guard");
  const [edit] = repair?.edits ?? [];
  if (!edit) return null;
  const { text } = edit.source;
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

const log = [
  "TypeError: Cannot read properties of undefined (reading 'state')",
  "    at close (/app/src/orders.js:5:15)",
  "    at handle (/app/src/server.js:3:1)",
].join("\n");

/** `close` fails; the functions after it are its neighbors. */
function handlers(taken: string, ...neighbors: readonly string[]): Files {
  const lines = ["const orders = load();", "", "function close(request, reply) {", `  ${taken}`];
  const rest = ["  if (order.state === 'closed') return reply(409);", "  return reply(200);", "}"];
  return { "src/orders.js": `${[...lines, ...rest, ...neighbors].join("\n")}\n` };
}

function neighbor(name: string, ...body: readonly string[]): string {
  return ["", `function ${name}(request, reply) {`, ...body.map((line) => `  ${line}`), "}"].join("\n");
}

const taken = "const order = orders.get(request.id);";
const checks = neighbor(
  "show",
  "const found = orders.get(request.id);",
  "if (!found) return reply(404);",
  "return reply(200, found.lines);",
);
const doesNot = neighbor("lines", "const order = orders.get(request.id);", "return reply(200, order.lines);");

describe("the repair of a value that isn't checked", () => {
  it("makes the check that the function beside it makes of the same lookup", async () => {
    const files = handlers(taken, checks);
    expect(await guarded(log, files)).toBe(
      files["src/orders.js"]?.replace(taken, `${taken}\n  if (!order) return reply(404);`),
    );
  });

  it("says what this function looked up", async () => {
    const said = neighbor(
      "show",
      "const order = orders.get(request.id);",
      "if (order === undefined) {",
      `  throw new Missing(\`no \${request.id}\`);`,
      "}",
      "return order;",
    );
    const mine = "const order = orders.get(request.order);";
    expect(await guarded(log, handlers(mine, said))).toContain(
      `${mine}\n  if (order === undefined) {\n    throw new Missing(\`no \${request.order}\`);\n  }\n`,
    );
  });

  it("is made in Python, too", async () => {
    const checked =
      "    slot = SLOTS.get(number)\n    if slot is None:\n        return 404, number\n    return 200, slot";
    const text = `SLOTS = {}\n\n\ndef enter(number):\n    slot = SLOTS.get(number)\n    slot["car"] = 1\n\n\ndef show(number):\n${checked}\n`;
    const about = [
      "Traceback (most recent call last):",
      '  File "/app/web.py", line 3, in handle',
      "    enter(number)",
      '  File "/app/slots.py", line 6, in enter',
      '    slot["car"] = 1',
      "TypeError: 'NoneType' object does not support item assignment",
    ].join("\n");
    expect(await guarded(about, { "slots.py": text })).toBe(
      text.replace(
        "get(number)\n    slot[",
        "get(number)\n    if slot is None:\n        return 404, number\n    slot[",
      ),
    );
  });

  it.each([
    ["no function beside it makes one", [neighbor("count", "return reply(200, orders.size);")]],
    ["as many functions go without it", [checks, doesNot]],
    ["the functions beside it look up something else", [checks.replace("orders.get", "drafts.get")]],
    ["the check returns a fixed value", [checks.replace("return reply(404)", "return 0")]],
    ["the check returns nothing", [checks.replace("return reply(404)", "return null")]],
    [
      "the check does more than leave",
      [checks.replace("return reply(404);", "{ orders.clear(); return reply(404); }")],
    ],
    [
      "the check waits",
      [checks.replace("function show", "async function show").replace("return reply(404)", "return await reply(404)")],
    ],
    ["the check handles the value instead of leaving", [checks.replace("return reply(404)", "log(found)")]],
    [
      "the check needs a variable that isn't there",
      [checks.replace("const f", "const code = 404, f").replace("(404", "(code")],
    ],
    ["what checks it is nested in another function", [`\nfunction outer() {${checks.replaceAll("\n", "\n  ")}\n}`]],
  ])("isn't offered where %s", async (_, neighbors) => {
    expect(await guarded(log, handlers(taken, ...neighbors))).toBeNull();
  });

  it("isn't offered where another statement follows on the line", async () => {
    expect(await guarded(log, handlers(`${taken} show(request);`, checks))).toBeNull();
  });

  it("isn't offered where the function tests the value itself", async () => {
    const files = Object.entries(handlers(taken, checks));
    const tested = files.map(([name, text]) => [name, text?.replace("reply(200);", "reply(order ? 200 : 404);")]);
    expect(await guarded(log, Object.fromEntries(tested))).toBeNull();
  });
});
