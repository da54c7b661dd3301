import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

describe("a pasted log with the files that it names", () => {
  const files = {
    "src/config.js": `function loadConfig() {
  return {
    port: Number(process.env.PORT || 3000),
    database: { url: process.env.DB_URL },
  };
}
module.exports = { loadConfig };
`,
    "src/db/target.js": `function describeTarget(config) {
  const target = new URL(config.database.url);
  return target.host;
}
module.exports = { describeTarget };
`,
    "src/main.js": `const { loadConfig } = require('./config');
const { describeTarget } = require('./db/target');

const config = loadConfig();
console.log('connecting to ' + describeTarget(config));
`,
  };
  const log = `node:internal/url:806
    const href = bindingUrl.parse(input, base, raiseException);
                            ^

TypeError: Invalid URL
    at new URL (node:internal/url:806:29)
    at describeTarget (/app/src/db/target.js:2:18)
    at Object.<anonymous> (/app/src/main.js:5:33) {
  code: 'ERR_INVALID_URL',
  input: 'undefined'
}

Node.js v20.20.2
`;

  // requirement: service.input-with-files
  it("is followed over three files to the variable that is missing", async () => {
    const { report, steps } = await investigated(textSubject(log, files));
    expect(report.root_cause.category).toBe("bad-config");
    expect(report.root_cause.location).toEqual({ file: "src/config.js", line: 4, function: "loadConfig" });
    expect(report.root_cause_summary).toContain("DB_URL");
    expect(steps).toEqual(["parse", "locate", "collect", "signatures", "rank", "explain", "verify", "report"]);
  });

  // requirement: service.report-analysis
  it("marks the line of the cause in a code block", async () => {
    const { report } = await investigated(textSubject(log, files));
    expect(report.detailed_analysis).toMatch(/^> 4 \| {5}database: \{ url: process\.env\.DB_URL \},$/m);
  });

  // requirement: service.report-evidence
  it("quotes each file with its bytes and line numbers there", async () => {
    const { report } = await investigated(textSubject(log, files));
    const texts = new Map(Object.entries(files));
    const quoted = report.evidence.filter(({ source }) => source.kind === "source_file");
    expect(quoted.length).toBeGreaterThan(1);
    for (const { source, range, excerpt, first_line: line } of quoted) {
      const bytes = Buffer.from(texts.get(source.name) ?? "");
      expect(bytes.subarray(range?.start, range?.end).toString()).toBe(excerpt);
      expect(line).toBe(bytes.subarray(0, range?.start).toString().split("\n").length);
    }
  });

  // requirement: service.report-confidence
  it("is less certain without the files", async () => {
    const withFiles = await investigated(textSubject(log, files));
    const without = await investigated(textSubject(log));
    expect(without.report.confidence.score).toBeLessThan(withFiles.report.confidence.score);
    expect(without.report.not_checked.join("\n")).toContain("no files were attached");
    expect(without.report.root_cause.category).toBe("bad-config");
  });
});

describe("a list that is read past its end", () => {
  const files = {
    "src/pager.js": `function pageOf(items, page, size) {
  const out = [];
  const last = Math.min((page + 1) * size, items.length);
  for (let i = page * size; i <= last; i++) out.push(items[i]);
  return out;
}
module.exports = { pageOf };
`,
    "src/render.js": `function renderList(list) {
  return list.map((item) => '<li>' + item.title + '</li>').join('');
}
module.exports = { renderList };
`,
    "src/main.js": `const { pageOf } = require('./pager');
const { renderList } = require('./render');
const articles = [{ title: 'a' }, { title: 'b' }];
console.log(renderList(pageOf(articles, 0, 5)));
`,
  };
  const log = `TypeError: Cannot read properties of undefined (reading 'title')
    at /app/src/render.js:2:43
    at Array.map (<anonymous>)
    at renderList (/app/src/render.js:2:15)
    at Object.<anonymous> (/app/src/main.js:4:13)
`;

  it("is found at the loop that counts too far, which isn't on the stack", async () => {
    const { report } = await investigated(textSubject(log, files));
    const places = report.candidates.slice(0, 2).map(({ location }) => location?.file);
    expect(places).toContain("src/pager.js");
  });
});

describe("a promise that is used as its value", () => {
  it("is found where the await is missing", async () => {
    const files = {
      "src/search.js": `async function search(term) {
  return [{ id: 1, term }];
}

async function top(term) {
  const hits = search(term);
  return hits.map((hit) => hit.id);
}
module.exports = { top };
`,
    };
    const log = `TypeError: hits.map is not a function
    at top (/app/src/search.js:7:15)
    at Object.<anonymous> (/app/src/main.js:3:1)
`;
    const { report } = await investigated(textSubject(log, files));
    expect(report.root_cause.category).toBe("missing-await");
    expect(report.root_cause.location).toMatchObject({ file: "src/search.js", function: "top" });
  });
});

describe("a data file that can't be read", () => {
  it("is named, although the stack shows only the code that read it", async () => {
    const files = {
      "config/limits.json": '{\n  "requests": 100,\n  "burst": 20,\n}\n',
      "config/service.json": '{ "name": "settings" }\n',
      "src/settings.js": `const fs = require('fs');
function loadOne(name) {
  const text = fs.readFileSync('config/' + name + '.json', 'utf8');
  return JSON.parse(text);
}
module.exports = { loadOne };
`,
    };
    const log = `SyntaxError: Expected double-quoted property name in JSON at position 39
    at JSON.parse (<anonymous>)
    at loadOne (/app/src/settings.js:4:15)
`;
    const { report } = await investigated(textSubject(log, files));
    expect(report.root_cause).toMatchObject({
      category: "parse-error",
      location: { file: "config/limits.json", line: 4 },
    });
  });
});

describe("a text without a stack", () => {
  // requirement: service.input-any-error-text
  it("gets a headline that says what is known and names no cause", async () => {
    const { report } = await investigated(textSubject("payments: connect ECONNREFUSED 10.0.0.9:9090"));
    expect(report.root_cause.category).toBe("network-unreachable");
    expect(report.root_cause.location).toBeNull();
    expect(report.confidence.score).toBeLessThan(0.4);
    expect(report.root_cause_summary).toMatch(/^Nothing is listening/);
  });

  it("gets a report that says what couldn't be read", async () => {
    const { report } = await investigated(textSubject("ﷺ\u0000 nothing that anybody knows"));
    expect(report.root_cause.category).toBe("unknown");
    expect(report.not_checked.join("\n")).toContain("none in a known format");
    expect(report.confidence.score).toBeLessThan(0.2);
  });
});

describe("text from outside", () => {
  it("can't close its block, cite evidence, or become markup", async () => {
    const files = {
      "src/a.js": `function run(input) {
  // \`\`\` [e99] <script>alert(1)</script>
  return input.value.length; // \`\`\`\`
}
`,
    };
    const log =
      "TypeError: Cannot read properties of undefined (reading 'length') [e77] `[e78]`\n    at run (/app/src/a.js:3:22)\n";
    const { report } = await investigated(textSubject(log, files));
    const fences = report.detailed_analysis.match(/^`{3,}/gm) ?? [];
    expect(fences).toEqual(["`````", "`````"]);
    expect(report.detailed_analysis).not.toMatch(/\[e(?:77|78|99)\]/);
    expect(report.evidence.some(({ excerpt }) => excerpt.includes("[e77]"))).toBe(true);
  });
});

describe("a pasted log without an error", () => {
  const served = '127.0.0.1 - - [01/Mar/2026 10:00:00] "GET /orders HTTP/1.1" 200 -\n';

  it("isn't said to have one, and what a program prints at its start isn't a cause", async () => {
    const start =
      "WARNING: This is a development server. Do not use it in a production deployment. Use a production WSGI server instead.\n";
    const { report } = await investigated(textSubject(` * Serving Flask app 'shop'\n${start}${served}`));
    expect(report.root_cause_summary).toMatch(/^No error was recognized in the text, which starts with `\*? ?Serving/);
    expect(report.chain.map(({ what }) => what).join()).not.toContain("development server");
    expect(report.detailed_analysis).not.toContain("development server");
  });

  it("isn't said to have one where it only warns", async () => {
    const { report } = await investigated(textSubject(`${served}WARNING: The queue holds 4000 jobs.\n${served}`));
    expect(report.root_cause_summary).toMatch(
      /^No error was recognized in the text, only a warning: `The queue holds 4000 jobs\.`/,
    );
  });

  it("isn't said to have none where it is in another language", async () => {
    const { report } = await investigated(textSubject("Die Verbindung zur Datenbank wurde verweigert.\n"));
    expect(report.root_cause_summary).toMatch(
      /^No error was recognized in the text, which starts with `Die Verbindung/,
    );
  });

  it.each([
    "deploy.sh: line 3: STAGE: unbound variable",
    "[nodemon] app crashed - waiting for file changes before starting...",
    "2026-03-01 10:00:00 CET FEHLER:  doppelter Schlüsselwert verletzt Unique-Constraint »orders_pkey«",
    "2026-03-01T10:00:00Z WARN shop: the deprecated endpoint /v1 could not find order 7",
  ])("is quoted where it says so in its own words: %s", async (line) => {
    const { report } = await investigated(textSubject(`${served}${line}\n${served}`));
    expect(report.root_cause_summary).toMatch(/^The text says `/);
    expect(report.root_cause_summary).toContain(line.slice(-30));
  });

  it("is quoted where it says that something failed", async () => {
    const { report } = await investigated(textSubject("The import of the orders failed again at noon.\n"));
    expect(report.root_cause_summary).toMatch(/^The text says `The import of the orders failed again at noon\.`/);
  });
});
