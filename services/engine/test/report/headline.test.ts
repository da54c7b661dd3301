import { describe, expect, it } from "vitest";
import { matchSignatures } from "../../src/match/match.ts";
import type { Candidate } from "../../src/rank/candidate.ts";
import { isTie } from "../../src/report/headline.ts";
import type { CodeSignal } from "../../src/signals/signal.ts";
import { investigated, textSubject } from "../investigated.ts";
import { kindsOfFailure } from "./kinds-of-failure.ts";
import { boundary, type Case, caseOf, eventFindings, placed, reported, trail } from "./written-reports.ts";

const site = {
  kind: "place",
  file: "/srv/orders/src/client.ts",
  line: 3,
  function: "fetchPayment",
  source: null,
} as const;
/** The place that fails in a short file is rarely the one to change, so the headline would start elsewhere. */
const longFile = "\n".repeat(130);

const headlineOf = (one: Case): string => reported(one).root_cause_summary;

describe("a headline", () => {
  it("names the origin first and what it led to second", () => {
    expect(headlineOf(caseOf(eventFindings(), site, trail("property"), { score: 0.95 }))).toBe(
      "The cause is in `fetchPayment` (`src/client.ts:3`), where the value comes from: `formatMoney` (`src/money.ts:2`) reads `currency` of `money`, which is `undefined`. [e1]",
    );
  });

  it("says which value the failure depends on where a check threw, not that it was read", () => {
    const [step, { subject }] = trail("property");
    const thrown: CodeSignal<"deliberate-throw"> = {
      ...{ kind: "deliberate-throw", subject, steps: 0, isEnd: false, towards: null },
      args: { condition: "!money", isTrue: true },
    };
    const read = step.kind === "value-step" ? { ...step, towards: thrown } : step;
    expect(headlineOf(caseOf(eventFindings(), site, [read, thrown]))).toMatch(
      /^Most likely in `fetchPayment` \(`src\/client\.ts:3`\): .*\. It depends on `response\.json\(\)` there\./,
    );
  });

  it("is followed by a statement that quotes no more code than its start", () => {
    const [step, thrown] = trail("call");
    const code = `orders.map((order) => ({ ${"line: order.line, ".repeat(9)}}))`;
    const long = step.kind === "value-step" ? { ...step, args: { ...step.args, code } } : step;
    const { statement } = reported(caseOf(eventFindings(), site, [long, thrown])).root_cause;
    expect(statement).toMatch(/`orders\.map\(\(order\) => [^`]{1,30}…`/);
  });

  it("names only the place of a cause that is too long to say", () => {
    const [, thrown] = trail("missing-key");
    const long = Array.from({ length: 24 }, (_, index) => `w${index}`).join(" ");
    const cause: CodeSignal<"utc-day"> = {
      ...{ kind: "utc-day", subject: placed(boundary), args: { code: long, read: "day.getDay()" } },
      ...{ steps: 1, isEnd: true, towards: thrown },
    };
    expect(headlineOf(caseOf(eventFindings(), site, [cause, thrown]))).toMatch(
      /^The cause is in `fetchPayment` \(`src\/client\.ts:3`\): `formatMoney` \(`src\/money\.ts:2`\) reads/,
    );
  });

  it("claims a place that only handed a value on only if it is all but certain", () => {
    const said = (score: number) => headlineOf(caseOf(eventFindings(), site, trail("property"), { score }));
    expect(said(0.89)).toMatch(/^Most likely in `fetchPayment`/);
    expect(said(0.9)).toMatch(/^The cause is in `fetchPayment`/);
  });

  it("says so when the origin itself is a bug", () => {
    expect(headlineOf(caseOf(eventFindings(), site, trail("missing-key")))).toContain(
      "leaves out `amount`, so `formatMoney`",
    );
  });

  it.each(kindsOfFailure)("contains nothing that could be in any report: %s", (_, one) => {
    expect(headlineOf(one)).not.toMatch(/the code|comes from here|passes through|rejects the call|as a parameter/i);
  });

  it("says where a stack leads that no error was printed with", async () => {
    const dump =
      '"mail-3" #41 prio=5\n   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat org.example.Outbox.take(Outbox.java:88)\n\tat org.example.Sender.run(Sender.java:23)\n';
    const { report } = await investigated(textSubject(dump));
    expect(report.root_cause_summary).toMatch(/^The stack leads to `Outbox\.take` \(`org\/example\/Outbox\.java:88`\)/);
  });

  it("quotes the error where only the place of the throw is known", async () => {
    const log = "TypeError: cannot send twice\n    at sendJson (/srv/a.js:2:9)\n    at handle (/srv/b.js:1:1)\n";
    const { report } = await investigated(
      textSubject(log, { "a.js": `function sendJson(res) {\n  res.write('x');\n}\n${longFile}` }),
    );
    expect(report.root_cause_summary).toContain("with `TypeError: cannot send twice`");
  });

  it.each([
    ["at the width of an email", "the port of the scale cannot be opened for the baud number", "57600 on this adapter"],
    ["after a word that ends no sentence", "the port cannot be opened for", "baud 57600"],
    ["after a comma", "cannot open the port,", "which another program holds"],
  ])("quotes a message whole that was wrapped within a sentence: %s", async (_, start, end) => {
    const log = `Traceback (most recent call last):\n  File "/srv/warm.py", line 202, in start\n    open(port)\nOSError: ${start}\n    ${end}\n`;
    const { report } = await investigated(textSubject(log));
    expect(report.root_cause_summary).toContain(`OSError: ${start} ${end}`);
  });

  it.each([
    ["a line of its own", "cannot open the port", "57600 is the rate of this adapter"],
    ["a label", "the scale answered with another value than the one that was sent to it", "expected: 57600"],
    ["a list", "the scale answered with other values than those that were sent to it", "1. the rate"],
  ])("quotes only the first line of a message before %s", async (_, start, end) => {
    const log = `Traceback (most recent call last):\n  File "/srv/warm.py", line 202, in start\n    open(port)\nOSError: ${start}\n    ${end}\n`;
    const { report } = await investigated(textSubject(log));
    expect(report.root_cause_summary).toContain(`OSError: ${start.slice(0, 20)}`);
    expect(report.root_cause_summary).not.toContain(` ${end}`);
  });

  it("shortens a long error rather than leaving it out", async () => {
    const words = "a sentence of more words than any headline has room for when a place stands before it already";
    const log = `RangeError: ${words}\n    at f (/srv/a.js:2:9)\n`;
    const { report } = await investigated(textSubject(log, { "a.js": "function f(x) {\n  x.go(1);\n}\n" }));
    expect(report.root_cause_summary).toContain("with `RangeError: a sentence of more words than any headline…`");
  });

  it("says what failed and where the value is from if the code there is too long", async () => {
    const log =
      'Traceback (most recent call last):\n  File "pace.py", line 7, in serve\n    return shown + 1 + 2 < demand\n' +
      "TypeError: '<' not supported between instances of 'int' and 'str'\n";
    const code =
      "{campaign: {int(hour): count for hour, count in hours.items()} for campaign, hours in json.load(handle).items() if hours}";
    const files = {
      "pace.py":
        "from demand import load_demand\n\nshown = 3\n\ndef serve():\n    demand = load_demand()\n    return shown + 1 + 2 < demand\n",
      "demand.py": `import json\n\ndef load_demand():\n    with open('demand.json') as handle:\n        return ${code}\n${longFile}`,
    };
    const { report } = await investigated(textSubject(log, files));
    expect(report.root_cause_summary).toMatch(
      /where `demand` is of type `str`, with a value from `load_demand` \(`demand\.py:5`\)/,
    );
  });

  it("says of two equal causes what failed, too", async () => {
    const log =
      "java.util.ConcurrentModificationException\n\tat java.util.ArrayList.next(ArrayList.java:573)\n" +
      "\tat com.example.mail.Header.find(Header.java:87)\n\tat com.example.mail.Message.type(Message.java:51)\n";
    const { report } = await investigated(textSubject(log));
    expect(report.root_cause_summary).toContain("ConcurrentModificationException");
  });

  it("claims no call through a file that isn't on the stack", () => {
    const { root_cause_summary: headline, root_cause } = reported(
      caseOf(eventFindings(), { ...site, file: "src/rows.ts" }),
    );
    expect(headline).toMatch(/^The cause is likely in `fetchPayment` \(`src\/rows\.ts:3`\), which isn't on the stack/);
    expect(root_cause.statement).toContain("`src/rows.ts:3`) is listed by its likelihood alone");
  });

  it("for a known failure with a weak cause says where to start, and names no cause", () => {
    const findings = eventFindings();
    const known = { ...findings, signatures: matchSignatures(findings.error) };
    expect(headlineOf(caseOf(known, site, trail("property"), { score: 0.3 }))).toBe(
      "`formatMoney` (`src/money.ts:2`) reads `currency` of `money`, which is `undefined`. Start at `fetchPayment` (`src/client.ts:3`). [e1]",
    );
  });

  it("names the value that was wrong once if it is also where to start", async () => {
    const log = `panic: runtime error: index out of range [7] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:4 +0x1d\n`;
    const files = { "main.go": "package main\n\nfunc main() {\n\tprint(rows()[at()])\n}\n" };
    const { report } = await investigated(textSubject(log, files));
    expect(report.root_cause_summary).toMatch(
      /^(?:Most likely: |Start where )?`main` \(`main\.go:4`\) reads past the end/,
    );
  });

  it("says what an installed package refused, and the own call that led to it, rather than where the package throws", async () => {
    const log = `TypeError: Router.use() requires a middleware function but got a Object
    at Function.use (/app/node_modules/express/lib/router/index.js:4:11)
    at routes (/app/src/routes.js:2:8)
`;
    const files = {
      "node_modules/express/lib/router/index.js":
        "proto.use = function use(fn) {\n\n  if (typeof fn !== 'function') {\n    throw new TypeError('Router.use() requires a middleware function but got a ' + gettype(fn));\n  }\n};\n",
    };
    const { report } = await investigated(textSubject(log, files));
    expect(report.root_cause_summary).toMatch(
      /^A route handler isn't a function .* Start at `routes` \(`src\/routes\.js:2`\)/,
    );
  });

  it("for an endless recursion names the function that repeats, not the last call", async () => {
    const text = `/app/lib/tree.rb:8:in \`person': stack level too deep (SystemStackError)
\tfrom /app/lib/tree.rb:14:in \`root'
\tfrom /app/lib/tree.rb:14:in \`root'
\tfrom /app/lib/tree.rb:14:in \`root'
\t ... 9214 levels...
\tfrom /app/lib/chart.rb:21:in \`draw'
`;
    const { report } = await investigated(textSubject(text));
    expect(report.root_cause_summary).toContain("`root` calls itself");
    expect(report.root_cause_summary).not.toContain("`person`");
  });

  it("names the function that repeats even where the error has a message and own code overflowed", async () => {
    const call = '  File "/app/loft/rolls.py", line 7, in unroll\n    return unroll(rolls[name].inner)\n';
    const text = `Traceback (most recent call last):\n${call.repeat(4)}RecursionError: maximum recursion depth exceeded\n`;
    const { report } = await investigated(textSubject(text));
    expect(report.root_cause_summary).toMatch(/^The stack overflowed: `unroll` calls itself/);
  });
});

describe("the last link of a chain", () => {
  it("says that a key is missing, not that the container is the key", async () => {
    const text = `Traceback (most recent call last):
  File "/srv/main.py", line 3, in <module>
    run({"pause": 1})
  File "/srv/retry.py", line 2, in run
    return retry["max_attempts"]
KeyError: 'max_attempts'
`;
    const files = {
      "retry.py": 'def run(retry):\n    return retry["max_attempts"]\n',
      "main.py": 'from retry import run\n\nrun({"pause": 1})\n',
    };
    const { report } = await investigated(textSubject(text, files));
    expect(report.chain.at(-1)?.what).toBe("`run` (`retry.py:2`) finds no `max_attempts` in `retry`");
  });
});

const at = (file: string, probability: number): Candidate => ({
  subject: { kind: "place", file, line: 1, function: null, source: null },
  ...{
    service: "orders",
    category: "unknown",
    probability,
    signals: [],
    frames: [],
    observations: [],
    signature: null,
  },
});

/** Two candidates, and the confidence of the report. */
function tied(first: number, second: number, score: number): boolean {
  const candidates = [at("a.js", first), at("b.js", second)];
  const confidence = {
    ...{ score, modelScore: score, engineScore: score, agreement: null, isTie: true, judged: 0, confirmed: 0 },
    ...{ isContested: false, isForgeable: false, bareStack: null, about: "file" as const },
  };
  const chained = { chain: [], location: null, ids: [], citedIds: [] };
  return isTie({
    ranking: { candidates, confidence },
    candidates: candidates.map((candidate) => ({ candidate, ...chained })),
  });
}

describe("two candidates", () => {
  it("aren't about equally likely where the report shows scores 10 points apart", () => {
    expect(tied(0.41, 0.36, 0.6)).toBe(false);
    expect(tied(0.41, 0.36, 0.4)).toBe(true);
  });
});
