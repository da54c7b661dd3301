import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";
import { call, eventSubject, exception, frameAt, type Program, reportedEvent } from "../reported-event.ts";

async function remediesFor(log: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const { report } = await investigated(textSubject(log, files));
  const all = [...report.short_term_solutions, ...report.long_term_solutions];
  return all.map(({ title, detail }) => `${title}: ${detail}`).join("\n");
}

const trace = (code: string, error: string): string =>
  `Traceback (most recent call last):\n  File "/app/shop/rows.py", line 9, in rows\n    ${code}\n${error}\n`;

describe("a remedy", () => {
  it.each([
    [
      "a row that doesn't exist",
      trace("Item.objects.get(id=1)", "shop.models.Item.DoesNotExist: Item matching query does not exist."),
      /dict|get_object_or_404/,
    ],
    [
      "bytes of a database",
      trace(
        "return cursor.fetchall()",
        "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe4 in position 1: invalid continuation byte",
      ),
      /encoding=|cp1252/,
    ],
    [
      "a data race",
      "WARNING: DATA RACE\nWrite at 0x00c0000b4010 by goroutine 8:\n  main.main.func1()\n      /app/main.go:12 +0x3c\n",
      /copy/,
    ],
    ["a key that looks like a variable", trace('return row["CITY_CODE"]', "KeyError: 'CITY_CODE'"), /environment/],
    [
      "a parser that was given bad code",
      "SyntaxError: Unexpected token (1:12)\n    at pp$4.raise (/app/node_modules/acorn/dist/acorn.js:2825:15)\n",
      /Node\.js version|node --check` on/,
    ],
    [
      "a service's own refusal",
      "AccessDenied: elif may not open offer.pdf\n    at check (/app/src/access.ts:13:3)\n",
      /S3|KMS|[Aa]llow that action/,
    ],
    [
      "a password that was refused",
      "Error: Request failed with status code 401: wrong user name or password\n    at signIn (/app/src/ledger.ts:13:3)\n",
      /[Rr]efresh/,
    ],
    [
      "a value of None",
      trace("return order.price", "AttributeError: 'NoneType' object has no attribute 'price'"),
      /re\.match/,
    ],
    [
      "a future that was canceled",
      "java.util.concurrent.CancellationException\n\tat java.base/java.util.concurrent.CompletableFuture.cancel(CompletableFuture.java:2468)\n\tat shop.Rows.stop(Rows.java:9)\n",
      /interrupt/i,
    ],
  ])("for %s doesn't fit only another meaning of the words", async (_, log, misleading) => {
    expect(await remediesFor(log)).not.toMatch(misleading);
  });

  it.each([
    [
      "a missing environment variable",
      trace('url = os.environ["DATABASE_URL"]', "KeyError: 'DATABASE_URL'"),
      /Set `DATABASE_URL`/,
    ],
    [
      "a file in another encoding",
      trace(
        "for row in csv.reader(open(path)):",
        "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe4 in position 1: invalid continuation byte",
      ),
      /encoding=/,
    ],
    [
      "a pattern that didn't match",
      trace("return re.match(pattern, text).group(1)", "AttributeError: 'NoneType' object has no attribute 'group'"),
      /Check the match/,
    ],
    [
      "an empty queue",
      "java.util.NoSuchElementException\n\tat java.base/java.util.ArrayDeque.getFirst(ArrayDeque.java:402)\n\tat shop.Rows.first(Rows.java:9)\n",
      /`isEmpty\(\)`/,
    ],
    [
      "a call that isn't the last of a recursion",
      "/app/lib/tree.rb:8:in `person': stack level too deep (SystemStackError)\n\tfrom /app/lib/tree.rb:14:in `root'\n\tfrom /app/lib/tree.rb:14:in `root'\n\tfrom /app/lib/tree.rb:14:in `root'\n\t ... 9214 levels...\n\tfrom /app/lib/chart.rb:21:in `draw'\n",
      /recursion of `root`/,
    ],
  ])("for %s is given", async (_, log, expected) => {
    expect(await remediesFor(log)).toMatch(expected);
  });

  it("isn't given for a promise that is forgotten beside the failing calls", async () => {
    const files = {
      "src/query.js":
        "async function exec() {}\nfunction thunk() {\n  exec();\n}\nfunction sort(arg) {\n  if (!arg) throw new TypeError('Invalid sort');\n}\nmodule.exports = { thunk, sort };\n",
    };
    const log = "TypeError: Invalid sort\n    at sort (/app/src/query.js:6:19)\n    at main (/app/src/main.js:3:1)\n";
    expect(await remediesFor(log, files)).not.toMatch(/[Aa]wait/);
  });

  it.each(["sku", "constructor", "too short"])("is for a missing key, whatever it is called: %s", async (key) => {
    const log = `Traceback (most recent call last):\n  File "/srv/price.py", line 2, in price\n    return order["${key}"]\nKeyError: '${key}'\n`;
    const files = { "price.py": `def price(order):\n    return order["${key}"]\n` };
    expect(await remediesFor(log, files)).toContain(
      `Find out why \`order\` has no \`${key}\` at \`price\` (\`price.py:2\`): `,
    );
  });
});

describe("a test to add", () => {
  it("has what the missing value was", async () => {
    const files = {
      "src/total.js": "export function total(order) {\n  const lines = order.lines;\n  return lines.length;\n}\n",
    };
    const log = "TypeError: Cannot read properties of null (reading 'length')\n    at total (/app/src/total.js:3:16)\n";
    expect(await remediesFor(log, files)).toContain("Add a test in which `lines` is `null`");
  });
});

describe("the remedy for an endless recursion", () => {
  it("is given once", async () => {
    const files = {
      "src/scope.mjs": "export class Scope {\n  get region() {\n    return this.region ?? 'local';\n  }\n}\n",
    };
    const call = "    at get region (file:///app/src/scope.mjs:3:17)\n";
    const log = `RangeError: Maximum call stack size exceeded\n${call.repeat(6)}`;
    const { report } = await investigated(textSubject(log, files));
    const titles = report.short_term_solutions.map(({ title }) => title);
    expect(titles.filter((title) => title.includes("recursion"))).toHaveLength(1);
  });

  it("is about the event, if a handler publishes its own", async () => {
    const files = {
      "src/stock.mjs":
        "import { hub } from './hub.mjs';\nhub.on('adjusted', adjust);\nfunction adjust(event) {\n  hub.emit('adjusted', event);\n}\n",
    };
    const calls = "    at adjust (file:///app/src/stock.mjs:4:7)\n    at Hub.emit (node:events:524:28)\n";
    const log = `RangeError: Maximum call stack size exceeded\n${calls.repeat(5)}`;
    const { report } = await investigated(textSubject(log, files));
    expect(report.root_cause_summary).toContain("handles `adjusted` and publishes it again");
    expect(report.short_term_solutions.map(({ title }) => title)).toEqual([
      expect.stringContaining("Don't publish `adjusted` while handling it"),
    ]);
  });
});

describe("the advice to check responses", () => {
  const charging = (check: string): Program => ({
    "/srv/shop/charge.js": `async function charge(order) {
  const response = await fetch("http://payments:8080/charges", { method: "POST" });
  ${check}
  return (await response.json()).id.length;
}
`,
  });
  async function preventionFor(program: Program, failing: string, type: string): Promise<string> {
    const frame = frameAt(program, "/srv/shop/charge.js", failing, "charge");
    const breadcrumbs = [call(0.2, { method: "POST", url: "http://payments:8080/charges", status_code: 503 })];
    const { report } = await investigated(
      eventSubject(reportedEvent({ exceptions: [exception(type, "no charge", [frame])], breadcrumbs })),
    );
    return report.long_term_solutions.map(({ title }) => title).join("\n");
  }

  it("is given to a program that reads them unchecked", async () => {
    const program = charging("");
    expect(await preventionFor(program, "response.json()", "TypeError")).toContain("before reading it");
  });

  it("isn't given to a program that threw because of the status", async () => {
    const program = charging('if (response.status !== 200) throw new Error("no charge");');
    expect(await preventionFor(program, 'new Error("no charge")', "Error")).not.toContain("before reading it");
  });

  it("is given to a program that threw because of the status of something else", async () => {
    const program = charging('if (order.status !== "paid") throw new Error("no charge");');
    expect(await preventionFor(program, 'new Error("no charge")', "Error")).toContain("before reading it");
  });
});

describe("what a known failure means", () => {
  it("is said once: the fix says what to check, and what prevents it stands alone", async () => {
    const { report } = await investigated(textSubject("Error: Cannot use a pool after calling end on the pool\n"));
    expect(report.root_cause_summary).toContain("A query ran after its connection, pool, or transaction was closed");
    expect(report.short_term_solutions[0]?.detail).toMatch(/^Check whether the code closes or commits while/);
    expect(report.long_term_solutions[0]?.detail).toBe("");
  });
});

describe("advice to use a version of Node.js", () => {
  const log = (version: string): string =>
    `Error [ERR_REQUIRE_ESM]: require() of ES Module /srv/app/node_modules/nanoid/index.js from /srv/app/ids.js not supported.\n    at Object.<anonymous> (/srv/app/ids.js:2:20) {\n  code: 'ERR_REQUIRE_ESM'\n}\n\nNode.js ${version}\n`;

  it("is given to a process with an older one", async () => {
    expect(await remediesFor(log("v20.19.5"))).toContain("Run Node.js 22.12 or later");
  });

  it.each(["v22.12.0", "v26.10.0"])("isn't given to a process that had it or a later one: %s", async (version) => {
    expect(await remediesFor(log(version))).not.toContain("Run Node.js");
  });
});

describe("what to do about an `error` event without a listener", () => {
  const log = (emitted: string): string =>
    `node:events:497\n      throw er; // Unhandled 'error' event\n      ^\n\nError: Unexpected end of form\n    at Multipart._final (/srv/app/node_modules/busboy/lib/types/multipart.js:588:17)\n${emitted}    at emitErrorNT (node:internal/streams/destroy:170:8)\n\nNode.js v22.12.0\n`;

  it("names the class that emitted it", async () => {
    expect(await remediesFor(log("Emitted 'error' event on FileStream instance at:\n"))).toContain(
      "Add an `error` listener to the `FileStream` that emitted it",
    );
  });

  it("names none where the text doesn't", async () => {
    expect(await remediesFor(log(""))).toContain("Add an `error` listener to that emitter");
  });
});
