import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

/** What changes the constant that `headersOf` hands out, in a file whose `check` then fails. */
async function changesIn(headersOf: string, use: string): Promise<unknown[]> {
  const text = `const DEFAULT_HEADERS = { agent: "shop" };\nfunction headersOf() {\n  ${headersOf}\n}\nfunction send() {\n  const headers = headersOf();\n  ${use}\n  throw new Error("unexpected token");\n}\nfunction sign(target) {\n  target.token = token;\n}\n`;
  const signals = await signalsIn(
    { "send.js": text },
    "Error: unexpected token",
    "send (/srv/send.js:8:9)",
    "headersOf (/srv/send.js:3:3)",
  );
  return ofKind(signals, "shared-default").map(({ args }) => args);
}
const constant = (change: string) => [{ name: "DEFAULT_HEADERS", change, how: "constant" }];

describe("a constant that a function hands out", () => {
  it.each([
    ["a field is set", "headers.token = token;", "headers.token = token"],
    ["an entry is set", 'headers["token"] = token;', 'headers["token"] = token'],
    ["it is merged into", "Object.assign(headers, { token });", "Object.assign(headers, { token })"],
    ["a list in it grows", "headers.accept.push(type);", "headers.accept.push(type)"],
    ["another name is changed", "const own = headers ?? {};\n  own.token = token;", "own.token = token"],
  ])("is changed for all where %s", async (_, use, change) => {
    expect(await changesIn("return DEFAULT_HEADERS;", use)).toEqual(constant(change));
  });

  it("is changed for all by the function that it is passed on to", async () => {
    expect(await changesIn("return DEFAULT_HEADERS;", "sign(headers);")).toEqual([
      { name: "DEFAULT_HEADERS", change: "target.token = token", how: "argument" },
    ]);
  });

  it.each([
    ["it is copied", "return { ...DEFAULT_HEADERS };", "headers.token = token;"],
    ["it is merged into a new object", "return Object.assign({}, DEFAULT_HEADERS);", "headers.token = token;"],
    ["it is only read", "return DEFAULT_HEADERS;", "use(headers.agent, headers.accept.slice());"],
    ["the name is set to another object", "return DEFAULT_HEADERS;", "headers = { token };"],
    [
      "it is copied under the same name",
      "let own = DEFAULT_HEADERS;\n  own = { ...own };\n  own.a = 1;",
      "use(headers);",
    ],
  ])("stays as it is where %s", async (_, headersOf, use) => {
    expect(await changesIn(headersOf, use)).toEqual([]);
  });
});

describe("a constant whose first level is copied", () => {
  const changed = async (made: string, use: string): Promise<unknown[]> => {
    const text = `const DEFAULTS = { page: { size: 20 }, tags: [], unit: "mm" };\nfunction optionsOf() {\n  ${made}\n}\nfunction draw(own) {\n  const options = optionsOf();\n  ${use}\n  throw new Error("unexpected size");\n}\n`;
    const calls = ["draw (/srv/draw.js:8:9)", "optionsOf (/srv/draw.js:3:3)"];
    const signals = await signalsIn({ "draw.js": text }, "Error: unexpected size", ...calls);
    return ofKind(signals, "shared-default").map(({ args }) => args);
  };
  const copied = (change: string) => [{ name: "DEFAULTS", change, how: "copy" }];

  it.each([
    ["return { ...DEFAULTS };", "options.page.size = own;", "options.page.size = own"],
    ["return Object.assign({}, DEFAULTS);", "options.tags.push(own);", "options.tags.push(own)"],
    ["return { ...DEFAULTS, unit: 3 };", "Object.assign(options.page, own);", "Object.assign(options.page, own)"],
    [
      "return { ...DEFAULTS };",
      "for (const key of own) options[key] = Object.assign(options[key] ?? {}, own[key]);",
      "Object.assign(options[key] ?? {}, own[key])",
    ],
    ["return { ...DEFAULTS };", "const page = options.page;\n  page.size = own;", "page.size = own"],
  ])("is changed for all below it: %s %s", async (made, use, change) => {
    expect(await changed(made, use)).toEqual(copied(change));
  });

  it.each([
    ["return { ...DEFAULTS };", "options.page = { size: own };"],
    ["return { ...DEFAULTS };", "options.page = { ...options.page };\n  options.page.size = own;"],
    ["return { ...DEFAULTS, page: { ...DEFAULTS.page } };", "options.page.size = own;"],
    ["return structuredClone(DEFAULTS);", "options.page.size = own;"],
    ["return { ...DEFAULTS };", "Object.assign(options, own);"],
    ["return { ...DEFAULTS };", "options.unit.size = own;"],
    ["return { ...DEFAULTS };", "draw(options.page.size, options.tags.slice());"],
  ])("stays as it is otherwise: %s %s", async (made, use) => {
    expect(await changed(made, use)).toEqual([]);
  });

  it("is found where a module exports it without a name", async () => {
    const files = {
      "defaults.js": "module.exports = { page: { size: 20 } };\n",
      "draw.js":
        'const defaults = require("./defaults");\nfunction draw(own) {\n  const options = { ...defaults };\n  options.page.size = own;\n  throw new Error("unexpected size");\n}\n',
    };
    const found = ofKind(await signalsIn(files, "Error: unexpected size", "draw (/srv/draw.js:5:9)"), "shared-default");
    expect(found).toEqual([{ line: 3, args: { name: "defaults", change: "options.page.size = own", how: "copy" } }]);
  });

  it.each(["dict(DEFAULTS)", "DEFAULTS.copy()", "copy.copy(DEFAULTS)", "{**DEFAULTS}"])(
    "is changed for all in Python: %s",
    async (made) => {
      const text = `DEFAULTS = {"page": {"size": 20}}\n\ndef draw(own):\n    options = ${made}\n    options["page"]["size"] = own\n    raise ValueError("unexpected size")\n`;
      const log =
        'Traceback (most recent call last):\n  File "/srv/draw.py", line 6, in draw\nValueError: unexpected size\n';
      const found = ofKind((await traced(log, { "draw.py": text })).signals, "shared-default");
      expect(found).toEqual([
        { line: 4, args: { name: "DEFAULTS", change: 'options["page"]["size"] = own', how: "copy" } },
      ]);
    },
  );
});

describe("a constant of Python that a function hands out", () => {
  const log = 'Traceback (most recent call last):\n  File "/srv/tags.py", line 8, in add\nValueError: unexpected tag\n';
  const changesOf = async (constant: string, change: string): Promise<unknown[]> => {
    const handing = `DEFAULT_TAGS = ${constant}\n\ndef tags_of():\n    return DEFAULT_TAGS\n`;
    const changing = `def add(tag):\n    tags = tags_of()\n    ${change}; raise ValueError("unexpected tag")\n`;
    const frames = log.replace("line 8", 'line 4, in tags_of\n  File "/srv/tags.py", line 7');
    const { signals } = await traced(frames, { "tags.py": `${handing}${changing}` });
    return ofKind(signals, "shared-default").map(({ args }) => args);
  };

  it("is changed for all where it is a list", async () => {
    const change = "tags += [tag]";
    expect(await changesOf('["a", "b"]', change)).toEqual([{ name: "DEFAULT_TAGS", change, how: "constant" }]);
  });

  it.each(['("a", "b")', '"a", "b"'])("stays as it is where it is a tuple: %s", async (constant) => {
    expect(await changesOf(constant, "tags += (tag,)")).toEqual([]);
  });
});

describe("a list of a table of constants", () => {
  const changed = async (handing: string, use: string): Promise<unknown[]> => {
    const table = `module Plans\n  TABLE = { day: [:news, :song] }.freeze\n  RATES = { news: 1 }.freeze\n  def self.plan_of(kind)\n    ${handing}\n  end\nend\n`;
    const hour =
      "class Hour\n  def initialize(plan)\n    @plan = plan\n  end\n  def fill\n    USE\n    raise 'no plan'\n  end\nend\ndef run\n  Hour.new(Plans.plan_of(:day)).fill\nend\n";
    const log = "/srv/hour.rb:7:in `fill': no plan (RuntimeError)\n\tfrom /srv/hour.rb:11:in `run'\n";
    const { signals } = await traced(log, { "plans.rb": table, "hour.rb": hour.replace("USE", use) });
    return ofKind(signals, "shared-default");
  };

  it.each(["@plan.shift", "@plan << :spot", "@plan.sort!", "@plan.concat(more)"])(
    "is changed for all by the object that keeps it: %s",
    async (use) => {
      const args = { name: "TABLE", change: use, how: "constant" };
      expect(await changed("TABLE.fetch(kind)", use)).toEqual([{ line: 5, args }]);
    },
  );

  it.each([
    ["it is copied", "TABLE.fetch(kind).dup", "@plan.shift"],
    ["it is only read", "TABLE.fetch(kind)", "@plan.sort.first"],
    ["its elements can't be changed", "RATES.fetch(kind)", "@plan.shift"],
    ["another field is changed", "TABLE.fetch(kind)", "@done.shift"],
  ])("stays as it is where %s", async (_, handing, use) => {
    expect(await changed(handing, use)).toEqual([]);
  });
});

it("isn't suspected of a registry that is filled through the function that returns it", async () => {
  const text =
    "const PLUGINS = { base: null };\nfunction plugins() {\n  return PLUGINS;\n}\nfunction register(name, one) {\n  plugins()[name] = one;\n}\nfunction run(name) {\n  return plugins()[name].start;\n}\n";
  const message = "TypeError: Cannot read properties of undefined (reading 'start')";
  expect(ofKind(await signalsIn({ "a.js": text }, message, "run (/srv/a.js:9:26)"), "shared-default")).toEqual([]);
});

describe("a list that a function is passed", () => {
  const changed = async (list: string, body: string): Promise<unknown[]> => {
    const text = `const players = ${list};\nfunction table(all) {\n  ${body}\n}\nfunction round() {\n  table(players);\n  throw new Error("wrong order");\n}\n`;
    return ofKind(await signalsIn({ "a.js": text }, "Error: wrong order", "round (/srv/a.js:7:9)"), "shared-default");
  };

  it("is reordered for all that use it", async () => {
    expect(await changed("[a, b]", "return all.sort(byName);")).toEqual([
      { line: 3, args: { name: "players", change: "all.sort(byName)", how: "argument" } },
    ]);
  });

  it.each([
    ["a copy is sorted", "[a, b]", "return [...all].sort(byName);"],
    ["it is filled", "[]", "all.push(1);"],
    ["it may be meant to be filled", "[a, b]", "all.push(1);"],
  ])("stays in order where %s", async (_, list, body) => {
    expect(await changed(list, body)).toEqual([]);
  });

  it("is changed for later calls of the function that keeps it in Python", async () => {
    const text =
      "@lru_cache\ndef template(name):\n    return [row for row in read(name)]\n\ndef add(hour):\n    hour.insert(0, 1)\n    return hour\n\ndef run(name):\n    return check(add(template(name)))\n";
    const log = 'Traceback (most recent call last):\n  File "/srv/a.py", line 10, in run\nValueError: hour too long\n';
    const found = async (one: string) => ofKind((await traced(log, { "a.py": one })).signals, "shared-default");
    const args = { name: "template", change: "hour.insert(0, 1)", how: "result-argument" };
    expect(await found(text)).toEqual([{ line: 6, args }]);
    expect(await found(text.replace("@lru_cache\n", "\n"))).toEqual([]);
    expect(await found(text.replace("add(template(name))", "add(list(template(name)))"))).toEqual([]);
  });
});

describe("the default of a parameter", () => {
  const log = 'Traceback (most recent call last):\n  File "/srv/tags.py", line 3, in add\nValueError: unexpected tag\n';
  const python = (parameter: string, change: string) => ({
    "tags.py": `def add(tag, ${parameter}):\n    ${change}\n    raise ValueError("unexpected tag")\n`,
  });

  it.each([
    ["tags=[]", "tags.append(tag)"],
    ["tags={}", "tags[tag] = 1"],
    ["tags=dict()", "tags.update(tag)"],
    ["tags=set()", "tags.add(tag)"],
    ["tags=([], {})", "tags[0].append(tag)"],
    ["tags=(1, ([], 2))", "tags[1][0].append(tag)"],
  ])("is shared by all calls in Python: %s, %s", async (parameter, change) => {
    const { signals } = await traced(log, python(parameter, change));
    expect(ofKind(signals, "shared-default")).toEqual([{ line: 1, args: { name: "tags", change, how: "default" } }]);
  });

  it.each([
    ["it can't be changed", "tags=()", "tags += (tag,)"],
    ["nothing in it can be changed", "tags=(1, (2, 3))", "tags += (tag,)"],
    ["it is copied first", "tags=[]", "list(tags).append(tag)"],
    ["it is meant to keep what calls add", "_cache={}", "_cache[tag] = 1"],
    ["each call makes its own", "tags=None", "tags = tags or []; tags.append(tag)"],
    ["it is copied under the same name", "tags=[]", "tags = list(tags); tags.append(tag)"],
    ["it is joined under the same name", "tags=[]", "tags = tags + [tag]; tags.sort()"],
    ["an empty one is replaced", "tags={}", "tags = tags or {}; tags[tag] = 1"],
  ])("isn't named when %s", async (_, parameter, change) => {
    const { signals } = await traced(log, python(parameter, change));
    expect(ofKind(signals, "shared-default")).toEqual([]);
  });

  it.each([
    ["keeps it", "self.tags = tags", "self.tags.append(tag)", 1],
    ["keeps a copy", "self.tags = tags; self.tags = list(self.tags)", "self.tags.append(tag)", 0],
    ["sets another one first", "self.tags = tags", "self.tags = []; self.tags.append(tag)", 0],
  ])("is changed in a field only of an object that %s", async (_, kept, change, count) => {
    const text = `class Tags:\n    def __init__(self, tags=[]):\n        ${kept}\n\n    def add(self, tag):\n        ${change}\n        raise ValueError("unexpected tag")\n`;
    const { signals } = await traced(log.replace("line 3", "line 7"), { "tags.py": text });
    expect(ofKind(signals, "shared-default")).toHaveLength(count);
  });

  it("is new for each call in JavaScript and Ruby", async () => {
    const script = {
      "tags.js": "function add(tag, tags = []) {\n  tags.push(tag);\n  throw new Error('unexpected tag');\n}\n",
    };
    expect(
      ofKind(await signalsIn(script, "Error: unexpected tag", "add (/srv/tags.js:3:9)"), "shared-default"),
    ).toEqual([]);
    const ruby = { "tags.rb": "def add(tag, tags = [])\n  tags.append(tag)\n  raise 'unexpected tag'\nend\n" };
    const { signals } = await traced("/srv/tags.rb:3:in `add': unexpected tag (RuntimeError)\n", ruby);
    expect(ofKind(signals, "shared-default")).toEqual([]);
  });
});
