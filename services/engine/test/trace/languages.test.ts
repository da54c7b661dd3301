import { describe, expect, it } from "vitest";
import { endsOf, type Files, ofKind, stepsOf, traced, undefinedRead } from "./signals-in.ts";

interface Case {
  readonly language: string;
  readonly log: string;
  readonly files: Files;
  readonly site: object;
  readonly steps: readonly string[];
}

const python = (message: string, ...frames: readonly string[]): string =>
  ["Traceback (most recent call last):", ...frames.map((frame) => `  File "/srv/${frame}`), message, ""].join("\n");

const cases: readonly Case[] = [
  {
    language: "Python: a lookup that finds nothing, in another module",
    log: python(
      "AttributeError: 'NoneType' object has no attribute 'name'",
      'app.py", line 4, in show',
      'view.py", line 2, in title',
    ),
    files: {
      "app.py": "from store import find\nfrom view import title\ndef show(id):\n    return title(find(id))\n",
      "view.py": "def title(user):\n    return user.name.upper()\n",
      "store.py": "users = {}\ndef find(id):\n    return users.get(id)\n",
    },
    site: { expression: "user", was: "None", use: "read", member: "name" },
    steps: ["argument app.py:4", "return store.py:3", "lookup store.py:3"],
  },
  {
    language: "Python: a field that __init__ sets from its caller",
    log: python("TypeError: unsupported operand type(s) for *: 'NoneType' and 'int'", 'order.py", line 5, in total'),
    files: {
      "order.py":
        "class Order:\n    def __init__(self, price):\n        self.price = price\n    def total(self):\n        return self.price * 2\norder = Order(None)\n",
    },
    site: { expression: "self.price * 2", use: "operand" },
    steps: ["assignment order.py:3", "argument order.py:6"],
  },
  {
    language: "Python: an environment variable",
    log: python("ValueError: invalid literal for int() with base 10: 'abc'", 'app.py", line 2, in <module>'),
    files: { "app.py": 'import os\nport = int(os.environ["PORT"])\n' },
    site: { expression: 'os.environ["PORT"]', use: "argument", member: "int" },
    steps: ["environment app.py:2"],
  },
  {
    language: "Go: a field that nothing sets where the struct is made",
    log: "panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.(*Registry).Count(...)\n\t/srv/registry.go:12 +0x1d\n",
    files: {
      "registry.go":
        "package main\n\ntype Registry struct {\n\tcounts map[string]int\n}\n\nfunc NewRegistry() *Registry {\n\treturn &Registry{}\n}\n\nfunc (r *Registry) Count(name string) {\n\tr.counts[name] = 1\n}\n",
    },
    site: { expression: "r.counts", use: "write" },
    steps: ["missing-key registry.go:8"],
  },
  {
    language: "Go: a function that returns nil beside an error that is ignored",
    log: "panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:5 +0x1d\n",
    files: {
      "main.go": 'package main\n\nfunc main() {\n\tcfg, _ := load("a")\n\tprintln(cfg.Name)\n}\n',
      "config.go":
        'package main\n\nfunc load(path string) (*Config, error) {\n\tif path == "" {\n\t\treturn nil, errNone\n\t}\n\treturn &Config{}, nil\n}\n',
    },
    site: { expression: "cfg", was: "nil" },
    steps: ["property main.go:4", "returns-nothing config.go:5"],
  },
  {
    language: "Java: a map that is asked with another key",
    log: 'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "shop.Customer.name()" because "customer" is null\n\tat shop.Mailer.greet(Mailer.java:10)\n',
    files: {
      "shop/Mailer.java":
        "package shop;\n\npublic class Mailer {\n  private final Repository customers;\n  Mailer(Repository customers) {\n    this.customers = customers;\n  }\n  String greet(String mail) {\n    Customer customer = customers.find(mail);\n    return customer.name();\n  }\n}\n",
      "shop/Repository.java":
        "package shop;\n\npublic class Repository {\n  private final Map<String, Customer> byMail = new HashMap<>();\n  void save(Customer one) {\n    byMail.put(one.mail().toLowerCase(), one);\n  }\n  Customer find(String mail) {\n    return byMail.get(mail);\n  }\n}\n",
    },
    site: { expression: "customer", was: "null" },
    steps: ["call shop/Mailer.java:9", "return shop/Repository.java:9", "argument shop/Repository.java:6"],
  },
  {
    language: "Ruby: an option that a constant of another file spells otherwise",
    log: "/srv/pool.rb:3:in `fetch': key not found: :concurrency (KeyError)\n\tfrom /srv/pool.rb:3:in `initialize'\n\tfrom /srv/worker.rb:2:in `new'\n\tfrom /srv/worker.rb:2:in `<main>'\n",
    files: {
      "pool.rb": "class Pool\n  def initialize(options)\n    @size = options.fetch(:concurrency)\n  end\nend\n",
      "worker.rb": 'require_relative "queues"\nPool.new(QUEUE)\n',
      "queues.rb": "QUEUE = {\n  concurency: 4\n}\n",
    },
    site: { expression: "options", use: "element", member: "concurrency" },
    steps: ["argument worker.rb:2", "setting queues.rb:2"],
  },
  {
    language: "Ruby: an instance variable",
    log: "/srv/cart.rb:6:in `total': undefined method `+' for nil:NilClass (NoMethodError)\n",
    files: {
      "cart.rb":
        "class Cart\n  def initialize(sum)\n    @sum = sum\n  end\n  def total\n    @sum + 1\n  end\nend\nCart.new(nil)\n",
    },
    site: { expression: "@sum + 1", was: "nil", use: "operand" },
    steps: ["assignment cart.rb:3", "argument cart.rb:9"],
  },
];

describe("a variable called environ in Python", () => {
  const log = python("KeyError: 'sku'", 'app.py", line 4, in answer');
  const read = "    query = parse(environ['QUERY_STRING'])\n    return query['sku']\n";

  it("is the process's environment where it is imported", async () => {
    const files = { "app.py": `from os import environ\n\ndef answer():\n${read}` };
    expect(stepsOf((await traced(log.replace("line 4", "line 5"), files)).signals)).toContain("environment app.py:4");
  });

  it("is something else where it is a parameter, as of a WSGI application", async () => {
    const files = { "app.py": `from urls import parse\ndef answer(environ):\n${read}` };
    expect(stepsOf((await traced(log, files)).signals)).not.toContain("environment app.py:3");
  });
});

describe("an environment variable", () => {
  const javaNull = 'java.lang.NullPointerException: Cannot invoke "String.length()" because "host" is null';

  it.each<[string, string, string, string]>([
    ["import.meta.env.HOST", "a.js", "const host = {};\nhost.split(':');\n", undefinedRead("split")],
    ['Deno.env.get("HOST")', "a.js", "const host = {};\nhost.split(':');\n", undefinedRead("split")],
    ['os.getenv("HOST")', "a.py", "host = {}\nhost.split()\n", "'NoneType' object has no attribute 'split'"],
    ['environ.get("HOST")', "a.py", "host = {}\nhost.split()\n", "'NoneType' object has no attribute 'split'"],
    ['ENV["HOST"]', "a.rb", "host = {}\nhost.split\n", "undefined method `split' for nil:NilClass"],
    ['ENV.fetch("HOST")', "a.rb", "host = {}\nhost.split\n", "undefined method `split' for nil:NilClass"],
    ['System.getenv("HOST")', "A.java", "class A { int f() { String host = {};\nreturn host.length(); } }\n", javaNull],
  ])("is read by %s", async (read, file, code, message) => {
    const log = {
      js: `${message}\n    at f (/srv/${file}:2:6)\n`,
      py: python(`AttributeError: ${message}`, `${file}", line 2, in <module>`),
      rb: `/srv/${file}:2:in \`<main>': ${message} (NoMethodError)\n`,
      java: `Exception in thread "main" ${message}\n\tat A.f(A.java:2)\n`,
    }[file.split(".")[1] ?? ""];
    const { signals } = await traced(log ?? "", { [file]: code.replace("{}", read) });
    expect(ofKind(signals, "value-step")).toContainEqual({
      line: 1,
      args: expect.objectContaining({ how: "environment", name: "HOST" }),
    });
  });

  it("isn't what a call without a name returns, nor what a method is called", async () => {
    const whole = 'class A { int f() { String host = System.getenv().get("HOST");\nreturn host.length(); } }\n';
    const ofJava = `Exception in thread "main" ${javaNull}\n\tat A.f(A.java:2)\n`;
    const ofPython = python("AttributeError: 'NoneType' object has no attribute 'split'", 'a.py", line 4, in <module>');
    const passed = "def fetch(read):\n    return read\nhost = fetch(os.environ.get)\nhost.split()\n";
    for (const [log, files] of [
      [ofJava, { "A.java": whole }],
      [ofPython, { "a.py": passed }],
    ] as const)
      expect(stepsOf((await traced(log, files)).signals).filter((step) => step.startsWith("environment"))).toEqual([]);
  });
});

describe("a value in another language", () => {
  it.each(cases)("is followed in $language", async ({ log, files, site, steps }) => {
    const { signals } = await traced(log, files);
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject(site);
    expect(stepsOf(signals)).toEqual(expect.arrayContaining([...steps]));
  });

  it("ends at the condition of a deliberate raise", async () => {
    const log = python("ValueError: no such plan: gold", 'app.py", line 5, in <module>', 'plans.py", line 4, in price');
    const files = {
      "app.py": "from plans import price\nimport json\nbody = json.loads(text)\nplan = body['plan']\nprice(plan)\n",
      "plans.py":
        "PRICES = {'basic': 1}\ndef price(plan):\n    if plan not in PRICES:\n        raise ValueError('no such plan: ' + plan)\n",
    };
    const { signals } = await traced(log, files);
    expect(ofKind(signals, "deliberate-throw")).toEqual([
      { line: 4, args: { condition: "plan not in PRICES", isTrue: true } },
    ]);
    expect(endsOf(signals)).toEqual(expect.arrayContaining(["parsed-text app.py:3"]));
  });
});

describe("the condition of a deliberate raise", () => {
  it.each([
    ["an if", "    if plan is None:\n        raise ValueError('none')", 4, "plan is None", true],
    ["an else", "    if plan:\n        pass\n    else:\n        raise ValueError('none')", 6, "plan", false],
    ["an earlier return", "    if plan:\n        return\n    raise ValueError('none')", 5, "plan", false],
    ["an assertion", "    assert plan in PLANS, 'none'", 3, "plan in PLANS", false],
  ])("is what it was in Python: %s", async (_, body, line, condition, isTrue) => {
    const log = python("ValueError: none", `plans.py", line ${line}, in price`);
    const { signals } = await traced(log, { "plans.py": `PLANS = {}\ndef price(plan):\n${body}\n` });
    expect(ofKind(signals, "deliberate-throw")[0]?.args).toEqual({ condition, isTrue });
  });

  it.each([
    ["raise 'none' unless plan", 2, false],
    ["raise 'none' if plan", 2, true],
    ["unless plan\n    raise 'none'\n  end", 3, false],
  ])("is what it was in Ruby: %s", async (body, line, isTrue) => {
    const log = `plans.rb:${line}:in 'Plans#price': none (RuntimeError)\n\tfrom app.rb:9:in '<main>'\n`;
    const { signals } = await traced(log, { "plans.rb": `def price(plan)\n  ${body}\nend\n` });
    expect(ofKind(signals, "deliberate-throw")[0]?.args).toEqual({ condition: "plan", isTrue });
  });
});

describe("the files that were read", () => {
  it.each([
    [
      "JavaScript",
      {
        "lib/a.js": "const b = require('./b');\nexports.run = () => b.take(1);\n",
        "lib/b.js": "function take() {}\nmodule.exports = { take };\n",
      },
      "lib/a.js",
      "run",
    ],
    [
      "Python",
      { "pkg/a.py": "from .b import take\ndef run():\n    return take(1)\n", "pkg/b.py": "def take(x): pass\n" },
      "pkg/a.py",
      "run",
    ],
    [
      "Go",
      {
        "cmd/a.go": 'package main\n\nimport "shop/store"\n\nfunc Run() { store.take(1) }\n',
        "store/b.go": "package store\n\nfunc take() {}\n",
      },
      "cmd/a.go",
      "Run",
    ],
  ])("have their functions, calls, and imports in %s", async (_, files, file, name) => {
    const { files: read } = await traced("Error: x\n", files);
    const found = read.find(({ source }) => source.name === file);
    expect(found?.functions).toMatchObject([{ name, isExported: true, calls: ["take"] }]);
    expect(found?.imports.map((source) => source.name)).toEqual(Object.keys(files).filter((one) => one !== file));
  });
});
