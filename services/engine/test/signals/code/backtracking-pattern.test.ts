import { describe, expect, it } from "vitest";
import { exit, exited, heap, reading } from "../../process-exit/heartbeats.ts";
import { investigated, textSubject } from "../../testing.ts";

const patterns = "export const rules = {\n  mail: /^([\\w.]+)+@[\\w.]+$/,\n  code: /^[A-Z]{3}-\\d+$/,\n};\n";
const checks =
  "import { rules } from './rules.js';\n\nexport function isMail(text) {\n  return rules.mail.test(text);\n}\n";
const server =
  "import { isMail } from './checks.js';\n\nexport function signUp(body) {\n  return isMail(body.mail);\n}\n";
const stack = [
  "    at isMail (file:///srv/src/checks.js:4:21)",
  "    at signUp (file:///srv/src/server.js:4:10)",
  "    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)",
].join("\n");

const hung = async (files: Readonly<Record<string, string>>, mainThreadStack = stack) => {
  const readings = [heap(0, 100), reading(1, { mainThreadBlockedMs: 90_000 })];
  const given = Object.entries(files).map(([name, content]) => ({ name, path: name, content, version: "1" }));
  const of = exit({ kind: "hung", processes: [exited({ mainThreadStack, readings })] });
  const { report } = await investigated({
    incident: { id: "inc_1", service: "orders", fingerprint: "v2:exit", env: "PROD" },
    input: { kind: "process-exit", exit: of, files: given },
  });
  return report;
};

describe("a regular expression that backtracks", () => {
  it("is named by the report on a hung process, where it is defined", async () => {
    const files = { "src/rules.js": patterns, "src/checks.js": checks, "src/server.js": server };
    const report = await hung(files);
    expect(report.root_cause).toMatchObject({
      category: "infinite-loop",
      location: { file: "src/rules.js", line: 2 },
      statement: expect.stringContaining("`([\\w.]+)+` and `[\\w.]+` match the same characters"),
    });
    expect(report.root_cause_summary).toContain("backtracks");
    expect(report.evidence.map(({ excerpt }) => excerpt).join()).toContain("mail: /^([\\w.]+)+@[\\w.]+$/");
  });

  it("isn't named where it doesn't backtrack, and the line that was blocked is quoted", async () => {
    const files = { "src/rules.js": patterns.replace("([\\w.]+)+", "[\\w.]+"), "src/checks.js": checks };
    const report = await hung(files);
    expect(report.root_cause).toMatchObject({ location: { file: "src/checks.js", line: 4 } });
    expect(report.evidence.map(({ excerpt }) => excerpt).join()).toContain("return rules.mail.test(text);");
    expect(JSON.stringify(report)).not.toContain("backtracks");
  });

  const log = `Traceback (most recent call last):
  File "/srv/app/worker.py", line 9, in run
    check(job)
  File "/srv/app/checks.py", line 5, in check
    if not NAME.match(job["name"]):
  File "/srv/app/worker.py", line 4, in stop
    raise TimeoutError("the job takes more than 30 s")
TimeoutError: the job takes more than 30 s
`;
  const worker =
    "from app.checks import check\n\ndef stop(signum, frame):\n    raise TimeoutError('the job takes more than 30 s')\n\n\n\ndef run(job):\n    check(job)\n";
  const python = (pattern: string) => ({
    "app/worker.py": worker,
    "app/checks.py":
      'from app.patterns import NAME\n\n\ndef check(job):\n    if not NAME.match(job["name"]):\n        raise ValueError("no name")\n',
    "app/patterns.py": `import re\n\nNAME = re.compile(${pattern})\n`,
  });

  it("is named in Python, where a time limit ended it", async () => {
    const { report } = await investigated(textSubject(log, python('r"^(\\w+\\s*)+$"')));
    expect(report.root_cause).toMatchObject({ location: { file: "app/patterns.py", line: 3 } });
    expect(report.root_cause.statement).toContain("backtracks");
  });

  it("isn't named where its call waits for another one", async () => {
    const fetched = `Traceback (most recent call last):
  File "/srv/app/pages.py", line 7, in title
    return re.search(TITLE, urlopen(url, timeout=3).read().decode())
  File "/usr/lib/python3.12/http/client.py", line 495, in read
    s = self._safe_read(self.length)
  File "/usr/lib/python3.12/socket.py", line 707, in readinto
    raise TimeoutError("timed out")
TimeoutError: timed out
`;
    const pages = `import re
from urllib.request import urlopen

TITLE = r"^(\\w+\\s*)+$"

def title(url):
    return re.search(TITLE, urlopen(url, timeout=3).read().decode())
`;
    const report = JSON.stringify((await investigated(textSubject(fetched, { "app/pages.py": pages }))).report);
    expect(report).toContain("pages.py");
    expect(report).not.toContain("backtracks");
  });

  it("isn't read where its groups are nested deeper than handwritten ones", async () => {
    const nested = `/^${"(".repeat(11)}a${"*)".repeat(11)}$/`;
    const files = { "src/rules.js": patterns.replace(/\/\^.*\$\/(?=,\n {2}code)/, nested), "src/checks.js": checks };
    expect(files["src/rules.js"]).toContain(nested);
    expect(JSON.stringify(await hung(files))).not.toContain("backtracks");
  });

  it.each(['r"^\\w+( \\w+)*$"', "SETTINGS.pattern"])("isn't named for %s", async (pattern) => {
    const { report } = await investigated(textSubject(log, python(pattern)));
    expect(JSON.stringify(report)).not.toContain("backtracks");
  });
});

describe("what else keeps the main thread busy", () => {
  it("is a loop that changes nothing its condition reads", async () => {
    const source =
      "export function drain(queue) {\n  let total = 0;\n  while (queue.length > 0) {\n    total += queue[0].size;\n  }\n  return total;\n}\n";
    const at = "    at drain (file:///srv/src/drain.js:4:14)";
    const report = await hung({ "src/drain.js": source }, at);
    expect(report.root_cause).toMatchObject({
      location: { file: "src/drain.js", line: 3, function: "drain" },
      statement: expect.stringContaining("nothing in it changes `queue`"),
    });
    const ends = source.replace("queue[0].size", "queue.shift().size");
    expect(JSON.stringify(await hung({ "src/drain.js": ends }, at))).not.toContain("doesn't end");
  });

  it("is a loop that changes nothing in Python either, where `del` is a change", async () => {
    const limited = `Traceback (most recent call last):
  File "/srv/app/drain.py", line 4, in drain
    total += queue[0]
KeyboardInterrupt
`;
    const drain = (rest: string) =>
      `def drain(queue):\n    total = 0\n    while queue:\n        total += queue[0]\n${rest}    return total\n`;
    const reportOf = async (rest: string) =>
      JSON.stringify((await investigated(textSubject(limited, { "app/drain.py": drain(rest) }))).report);
    expect(await reportOf("")).toContain("nothing in it changes `queue`");
    expect(await reportOf("        del queue[0]\n")).not.toContain("nothing in it changes");
    expect(await reportOf("        del total, queue[0]\n")).not.toContain("nothing in it changes");
  });

  it.each([
    ["`res.end(JSON.stringify(render(items)))`", "res.end(JSON.stringify(render(items)));"],
    ["`format(…)`", 'format(render(items), text.replace(/^\\s*(.*?)\\s*$/, "$1"));'],
  ])("isn't a call on the line of an outer frame whose argument is still computed: %s", async (_, call) => {
    const source = `export function page(res, items, text, format) {\n  ${call}\n}\n\nexport function render(items) {\n  return items.map(String);\n}\n`;
    const at = "    at render (file:///srv/src/page.js:6:16)\n    at page (file:///srv/src/page.js:2:26)";
    const report = JSON.stringify(await hung({ "src/page.js": source }, at));
    expect(report).not.toMatch(/on the main thread|backtracks/);
  });

  it("is a call of a built-in function that the stack shows", async () => {
    const source = "export function page(res, items) {\n  res.end(JSON.stringify(items));\n}\n";
    const at = "    at JSON.stringify (<anonymous>)\n    at page (file:///srv/src/page.js:2:16)";
    expect(JSON.stringify(await hung({ "src/page.js": source }, at))).toContain("`JSON.stringify`");
  });

  it("is a synchronous call of the runtime, which has another name inside", async () => {
    const source =
      "import { gzipSync } from 'node:zlib';\n\nexport function pack(items) {\n  return gzipSync(items);\n}\n";
    const at = "    at zlibBufferSync (node:zlib:178:12)\n    at pack (file:///srv/src/pack.js:4:10)";
    expect((await hung({ "src/pack.js": source }, at)).root_cause.statement).toContain("calls `gzipSync`");
  });

  it("is a synchronous call", async () => {
    const source =
      "import { pbkdf2Sync } from 'node:crypto';\n\nexport function hash(password, salt) {\n  return pbkdf2Sync(password, salt, 5_000_000, 64, 'sha512');\n}\n";
    const at = "    at pbkdf2Sync (node:internal/crypto/pbkdf2:60:1)\n    at hash (file:///srv/src/hash.js:4:10)";
    expect((await hung({ "src/hash.js": source }, at)).root_cause).toMatchObject({
      location: { file: "src/hash.js", line: 4, function: "hash" },
      statement: expect.stringContaining("calls `pbkdf2Sync` on the main thread"),
    });
  });
});
