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
