import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

describe("a full stack", () => {
  it("names a function that calls itself", async () => {
    const files = { "a.js": "function walk(node) {\n  return node.children.map((one) => walk(one));\n}\n" };
    const frames = Array.from({ length: 6 }, () => "walk (/srv/a.js:2:36)");
    const signals = await signalsIn(files, "RangeError: Maximum call stack size exceeded", ...frames);
    expect(ofKind(signals, "recursion")).toEqual([{ line: 1, args: { function: "walk" } }]);
  });

  it("names the function through which another calls itself", async () => {
    const files = {
      "a.js":
        "function list(text) {\n  return value(text.slice(1));\n}\nfunction value(text) {\n  return text[0] === '[' ? list(text) : text;\n}\n",
    };
    const frames = ["list (/srv/a.js:2:10)", "value (/srv/a.js:5:28)"];
    const signals = await signalsIn(
      files,
      "RangeError: Maximum call stack size exceeded",
      ...[...frames, ...frames, ...frames],
    );
    expect(ofKind(signals, "recursion").map(({ args }) => args)).toEqual([
      { function: "list", through: "value" },
      { function: "value", through: "list" },
    ]);
  });
});

describe("a handler that publishes its own event", () => {
  it("is where it calls what publishes the event", async () => {
    const files = {
      "model.js": "class Model extends EventEmitter {\n  set(name, value) {\n    this.emit('change', name);\n  }\n}\n",
      "totals.js": "function keep(cart) {\n  cart.on('change', () => {\n    cart.set('total', 1);\n  });\n}\n",
    };
    const frames = [
      "Model.<anonymous> (/srv/totals.js:3:10)",
      "Model.emit (node:events:524:28)",
      "Model.set (/srv/model.js:3:10)",
    ];
    const signals = await signalsIn(
      files,
      "RangeError: Maximum call stack size exceeded",
      ...[...frames, ...frames, ...frames],
    );
    expect(ofKind(signals, "own-event")).toEqual([
      { line: 3, args: { topic: "change", code: "cart.set('total', 1)" } },
    ]);
  });

  const found = async (subscribed: string, published: string): Promise<object[]> => {
    const text = `const bus = new Bus();\n${subscribed}\nfunction adjust(event) {\n  bus.emit(${published}, event);\n}\n`;
    const frames = ["adjust (/srv/a.js:4:7)", "Bus.emit (/srv/bus.js:2:50)", "/srv/a.js:2:30"];
    const files = {
      "a.js": text,
      "bus.js": "class Bus {\n  emit(topic, event) { for (const one of this.all) one(event); }\n}\n",
    };
    const signals = await signalsIn(
      files,
      "RangeError: Maximum call stack size exceeded",
      ...[...frames, ...frames, ...frames],
    );
    return ofKind(signals, "own-event");
  };

  it.each([
    ['bus.on("adjusted", adjust);', '"adjusted"'],
    ['bus.subscribe("adjusted", (event) => adjust(event));', '"adjusted"'],
    ["bus.on(topics.adjusted, adjust);", "topics.adjusted"],
  ])("is found: %s", async (subscribed, published) => {
    expect(await found(subscribed, published)).toEqual([
      { line: 4, args: expect.objectContaining({ code: `bus.emit(${published}, event)` }) },
    ]);
  });

  it.each([
    ["it publishes another event", 'bus.on("adjusted", adjust);', '"packed"'],
    ["it handles no event", 'bus.on("adjusted", other);', '"adjusted"'],
    ["the topic isn't known", "bus.on(topic, adjust);", "topic"],
  ])("isn't suspected where %s", async (_, subscribed, published) => {
    expect(await found(subscribed, published)).toEqual([]);
  });
});
