import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../../testing.ts";
import { ofKind, traced } from "../../trace/signals-in.ts";

const slots =
  "const max = 2;\n\nexport class Slots {\n  #taken = 0;\n\n  enter() {\n    if (this.#taken >= max) throw new Error(`no slot: all ${max} in use`);\n    this.#taken += 1;\n  }\n\n  leave() {\n    this.#taken -= 1;\n  }\n}\n\nexport const slots = new Slots();\n";
const job = (name: string, body: string, take = "slots.enter()") =>
  `import { slots } from './slots.mjs';\n\nexport async function ${name}(van) {\n  ${take};\n${body}}\n`;
const returned = "  try {\n    return await van.ask();\n  } finally {\n    slots.leave();\n  }\n";
const log = `Error: no slot: all 2 in use
    at Slots.enter (file:///srv/src/slots.mjs:7:37)
    at locate (file:///srv/src/locate.mjs:4:9)
    at run (file:///srv/src/run.mjs:5:10)
`;
const causeOf = async (refuel: string, text = log, take?: string) => {
  const files = {
    "src/slots.mjs": slots,
    "src/locate.mjs": job("locate", returned),
    "src/inspect.mjs": job("inspect", returned),
    "src/refuel.mjs": job("refuel", refuel, take),
    "src/run.mjs":
      "import { locate } from './locate.mjs';\nimport { refuel } from './refuel.mjs';\n\nexport function run(van, liters) {\n  return liters ? refuel(van, liters) : locate(van);\n}\n",
  };
  return (await investigated(textSubject(text, files))).report.root_cause;
};

describe("a share of something that ran out", () => {
  it("is kept by a function that isn't on the stack, and that never gives it back", async () => {
    expect(await causeOf("  return van.fill();\n")).toMatchObject({
      category: "resource-exhaustion",
      location: { file: "src/refuel.mjs", line: 4, function: "refuel" },
      statement: expect.stringContaining("never releases what `slots.enter` gives it"),
    });
  });

  it("is kept where the installed code that gets it isn't known to give it back", async () => {
    const { statement } = await causeOf("  van.fill(slot);\n  return van;\n", log, "const slot = slots.enter()");
    expect(statement).toContain("never releases what `slots.enter` gives it");
  });

  it("is kept where the function leaves before it gives it back", async () => {
    expect(
      await causeOf("  if (van.isFull) return null;\n  van.fill();\n  slots.leave();\n  return van;\n"),
    ).toMatchObject({
      location: { file: "src/refuel.mjs", line: 4, function: "refuel" },
      statement: expect.stringContaining("leaves at line 5 without releasing what `slots.enter` gave it"),
    });
  });

  it.each([
    ["all give it back", returned, log],
    [
      "another function gives it back",
      "  try {\n    return van.fill(slot);\n  } finally {\n    safeRelease(slot);\n  }\n",
      log,
      "const slot = slots.enter()",
    ],
    ["own code gets it", "  run(van, slot);\n  return van;\n", log, "const slot = slots.enter()"],
    [
      "the error is about something else",
      "  return van.fill();\n",
      log.replace("no slot: all 2 in use", "van is unknown"),
    ],
  ])("isn't named when %s", async (_, refuel, text, take?: string) => {
    const { statement } = await causeOf(refuel, text, take);
    expect(statement).not.toContain("without releasing");
    expect(statement).not.toContain("never releases");
  });

  const pool =
    'class Pool:\n    def acquire(self):\n        raise TimeoutError("pool limit of 2 reached, connection timed out")\n\n\npool = Pool()\n';
  const waited = `Traceback (most recent call last):
  File "/srv/app/find.py", line 5, in find
    connection = pool.acquire()
  File "/srv/app/pool.py", line 3, in acquire
    raise TimeoutError("pool limit of 2 reached, connection timed out")
TimeoutError: pool limit of 2 reached, connection timed out
`;
  const using = (name: string, rest: string) =>
    `from app.pool import pool\n\n\ndef ${name}(order):\n    connection = pool.acquire()\n${rest}`;
  const kept = "    return connection.run(order)\n";
  const closed = "    try:\n        return connection.run(order)\n    finally:\n        connection.release()\n";

  it.each([
    ["with connection:", false],
    ["with closing(connection):", false],
    ["with order, connection:", false],
    ["with order:", true],
  ])("is given back at the end of its block: %s", async (head, isKept) => {
    const inBlock = `    ${head}\n        return connection.run(order)\n`;
    const stores = { "app/store.py": using("store", inBlock), "app/count.py": using("count", closed) };
    const files = { "app/pool.py": pool, "app/find.py": using("find", closed), ...stores };
    expect(ofKind((await traced(waited, files)).signals, "kept-resource")).toHaveLength(isKept ? 1 : 0);
  });

  it("isn't named when most functions do the same, so something else gives it back", async () => {
    const files = { "app/pool.py": pool, "app/find.py": using("find", kept), "app/store.py": using("store", kept) };
    const { report } = await investigated(textSubject(waited, files));
    expect(report.root_cause.statement).not.toContain("never releases");
  });
});
