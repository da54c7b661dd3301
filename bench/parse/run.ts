import { parseText } from "@whence/engine";
import { table } from "../table.ts";

const textUnits = 1_048_576;
const rounds = 3;
/** The documented limit (docs/formats.md) for any text of the maximum length. */
const budgetMs = 1_000;

const jvmHead = "java.lang.E: a\n\tat a.b.C(D.java:1)\n";

/** Texts that are slow for a careless parser: each is repeated to the maximum length, some after a head. */
const pieces: Readonly<Record<string, string | readonly [head: string, piece: string]>> = {
  "one line": "x",
  "blank lines": "\n",
  "names of errors": "ErrorException",
  "opening brackets": "[",
  "objects in objects": '{"a":',
  "objects in objects, line by line": '{"a":\n',
  "records of JSON": '{"level":50,"err":{"stack":"Error: a\\n    at b (c.js:1:1)"}}\n',
  "nothing but at": "at at at ",
  "frames of Node": "    at f (/srv/a.js:1:1)\n",
  "frames on one line": " at f (a.js:1:2)",
  "frames of the JVM": "\tat a.b.C.d(C.java:1)\n",
  "tracebacks without frames": "Traceback (most recent call last):\n",
  "goroutines without frames": "goroutine 1 [running]:\n",
  panics: "panic: x\n",
  "causes that open": "  [cause]: Error: x {\n",
  "causes of Node": "  [cause]: Error: b\n      at f (/srv/a.js:1:1) {\n",
  "errors in errors of Node": "  [errors]: [\n    Error: b\n        at f (/srv/a.js:1:1) {\n",
  "causes of the JVM": [jvmHead, "Caused by: java.lang.E: b\n\tat a.b.C(D.java:1)\n"],
  "causes of the JVM without frames": [jvmHead, "Caused by: E\n"],
  "suppressed errors of the JVM": [jvmHead, "\tSuppressed: java.lang.E: b\n\t\tat a.b.C(D.java:1)\n"],
  "inner exceptions of .NET": "System.E: a ---> System.E: b\n   at A.B() in /srv/a.cs:line 1\n",
  "escaped line ends": "\\n at ",
  colors: "\u001b[31m",
  "pairs of logfmt": 'level=error msg="x" a=b\n',
  "lines of a log": "2026-03-01 10:00:00,204 ERROR [main] c.s.Orders - order 7 failed: connection refused\n",
};

/** Returns the CPU time of a task, the best of several rounds, in milliseconds. */
function cost(task: () => unknown): number {
  const costs = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    task();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...costs);
}

let worst = 0;
const rows = Object.entries(pieces).map(([name, shape]) => {
  const [head, piece] = typeof shape === "string" ? ["", shape] : shape;
  const text = `${head}${piece.repeat(Math.ceil(textUnits / piece.length))}`.slice(0, textUnits);
  const quarter = cost(() => parseText(text.slice(0, textUnits / 4)));
  const whole = cost(() => parseText(text));
  const split = cost(() => text.split("\n").map((line) => line.trim()));
  worst = Math.max(worst, whole);
  return [name, quarter.toFixed(0), whole.toFixed(0), (whole / Math.max(split, 1)).toFixed(1)];
});

console.log(table(["1 MiB of", "a quarter, ms", "whole, ms", "times split and trim"], rows));
console.log(`worst ${worst.toFixed(0)} ms of processor time, allowed ${budgetMs}`);
if (worst > budgetMs) process.exitCode = 1;
