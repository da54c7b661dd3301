import { describe, expect, it } from "vitest";
import { findingsOf, parseSubject } from "../../src/investigation-findings.ts";
import { ownCaller } from "../../src/report/own-caller.ts";
import { traceError } from "../../src/trace/trace-error.ts";
import { investigated, textSubject } from "../investigated.ts";

async function reportOn(log: string, files: Readonly<Record<string, string>>) {
  return (await investigated(textSubject(log, files))).report;
}

const schema = `'use strict';

exports.compile = function compile(rule) {
  if (!rule.kind) {
    throw new TypeError('a rule needs a kind, got ' + JSON.stringify(rule));
  }
  return rule;
};
`;
const refused = `TypeError: a rule needs a kind, got {"min":1}
    at exports.compile (/app/node_modules/rulebook/lib/compile.js:5:11)
    at build (/app/src/rules.js:4:17)
    at Object.<anonymous> (/app/src/main.js:3:1)
`;

describe("an error of an installed package", () => {
  it("names the project's call that led to it in the headline", async () => {
    const report = await reportOn(refused, {
      "node_modules/rulebook/lib/compile.js": schema,
      "src/rules.js":
        "const { compile } = require('rulebook/lib/compile');\n\nexports.build = function build(rules) {\n  return rules.map((rule) => compile(rule));\n};\n",
    });
    expect(report.root_cause_summary).toContain("`src/rules.js:4`");
  });

  it("names the project's call if a value that the package reads on the same line is of the wrong type", async () => {
    const text = `TypeError: job.queue.drain is not a function
    at finish (/app/node_modules/night-jobs/finish.js:2:13)
    at close (/app/src/jobs.js:4:3)
`;
    const { root_cause_summary: headline, root_cause: cause } = await reportOn(text, {
      "node_modules/night-jobs/finish.js":
        "exports.finish = function finish(job) {\n  job.queue.drain(() => undefined);\n};\n",
      "src/jobs.js":
        "const { finish } = require('night-jobs/finish');\n\nexports.close = function close(job) {\n  finish(job);\n};\n",
    });
    expect(cause.location?.file).toBe("node_modules/night-jobs/finish.js");
    expect(headline).toContain("`close` (`src/jobs.js:4`)");
  });

  it("isn't said to be called by the project's function that it calls back", async () => {
    const text = `TypeError: Cannot read properties of undefined (reading 'kind')
    at visit (/app/src/rules.js:4:15)
    at exports.each (/app/node_modules/rulebook/lib/each.js:2:64)
    at build (/app/src/build.js:7:3)
`;
    const subject = textSubject(text);
    const parsed = parseSubject(subject, Date.now);
    const traced = await traceError(parsed.error, null, []);
    const findings = await findingsOf(subject, parsed, [], traced, { observations: [], notChecked: [] });
    const location = { file: "/app/node_modules/rulebook/lib/each.js", line: 2, function: "each" };
    expect(ownCaller({ location }, findings)).toMatchObject({ file: "/app/src/build.js", line: 7 });
  });

  it("is looked for in the project's call if no cause is named", async () => {
    const text = `AssertionError [ERR_ASSERTION]: a job needs a name
    at Queue.add (/app/node_modules/night-jobs/queue.js:88:5)
    at schedule (/app/src/jobs.js:12:9)
`;
    const { root_cause_summary: headline, short_term_solutions: fixes } = await reportOn(text, {});
    expect(headline).toContain("`schedule` (`src/jobs.js:12`)");
    expect(fixes[0]?.title).toContain("Check what `schedule` (`src/jobs.js:12`) passes on to `Queue.add`");
  });
});

describe("a file of the project that ran where it was installed", () => {
  it.each([
    [
      "a Python distribution",
      `Traceback (most recent call last):
  File "/usr/lib/python3/dist-packages/tides/station.py", line 6, in run
    return self._height(level, datum, scale)
TypeError: _height() takes 3 positional arguments but 4 were given
`,
      "tides/station.py",
      "class Station:\n    def _height(self, level, datum):\n        return level - datum\n\n    def run(self, level, datum, scale):\n        return self._height(level, datum, scale)\n",
    ],
    [
      "a Java library that users report on",
      `java.lang.NullPointerException
\tat org.eclipse.tides.Gauge.height(Gauge.java:7)
\tat org.eclipse.tides.Station.read(Station.java:31)
`,
      "org.eclipse.tides/src/org/eclipse/tides/Gauge.java",
      "package org.eclipse.tides;\n\npublic class Gauge {\n    private Datum datum;\n\n    double height(double level) {\n        return level - datum.offset();\n    }\n}\n",
    ],
  ])("isn't called installed: %s", async (_, log, name, text) => {
    const report = await reportOn(log, { [name]: text });
    expect(report.detailed_analysis).not.toContain("installed package");
    expect(report.not_checked.join("\n")).not.toContain("no frame in it");
  });

  it("is called installed if it was given from a folder of packages", async () => {
    const alone = refused.split("\n").slice(0, 2).join("\n");
    const report = await reportOn(alone, { "node_modules/rulebook/lib/compile.js": schema });
    expect(report.detailed_analysis).toContain("installed package");
  });
});

describe("another candidate", () => {
  it("says where its value goes, and how likely it is", async () => {
    const log = `TypeError: Cannot read properties of undefined (reading 'trim')
    at label (/app/src/label.js:2:15)
    at print (/app/src/print.js:4:10)
`;
    const report = await reportOn(log, {
      "src/label.js": "exports.label = function label(name) {\n  return name.trim();\n};\n",
      "src/print.js":
        "const { label } = require('./label');\n\nexports.print = function print(order) {\n  return label(order.customer);\n};\n",
    });
    const [, others = ""] = /## Other candidates\n\n([\s\S]*?)\n\n/.exec(report.detailed_analysis) ?? [];
    expect(others).toMatch(/^- .+ \(\d+%\)\. \[e\d/);
    expect(report.detailed_analysis.indexOf("## Other")).toBeLessThan(
      report.detailed_analysis.indexOf("## What supports"),
    );
  });
});
