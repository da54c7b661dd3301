import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

describe("a limit in a data file that was reached", () => {
  const files = {
    "src/gate.js": `const fs = require("fs");
const { gate } = JSON.parse(fs.readFileSync("conf/gate.json", "utf8"));

exports.enter = function enter(waiting) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new GateTimeoutError(\`no slot became free within \${gate.waitTimeoutMs} ms\`)), gate.waitTimeoutMs);
  });
};
`,
    "conf/gate.json": `{ "gate": { "slots": 2, "waitTimeoutMs": 250 } }\n`,
  };
  const log = `GateTimeoutError: timeout: no slot became free within 250 ms
    at Timeout._onTimeout (/srv/src/gate.js:6:29)
    at listOnTimeout (node:internal/timers:588:17)
`;

  it("isn't to be corrected when nothing says that it is wrong", async () => {
    const { report } = await investigated(textSubject(log, files));
    const words = JSON.stringify(report);
    expect(words).toContain("conf/gate.json");
    expect(words).not.toContain("Correct `waitTimeoutMs`");
    expect(report.short_term_solutions[0]?.title).toBe("Find out whether `waitTimeoutMs` is reached, and by what");
  });
});

/** The report on a check of a setting in a data file, which failed with a message. */
async function wordsOfCheck(setting: string, error: string): Promise<string> {
  const { report } = await investigated(
    textSubject(`${error}\n    at check (/srv/src/check.js:6:27)\n`, {
      "src/check.js": `const { gate } = require("../conf/gate.json");

const limit = gate.${setting};

exports.check = function check(open) {
  if (open > limit) throw new GateError(limit);
};
`,
      "conf/gate.json": `{ "gate": { "slots": 2, "${setting}": 5 } }\n`,
    }),
  );
  return JSON.stringify(report);
}

describe("a setting that an error may say was reached", () => {
  it.each([
    ["maxConnections", "GateError: limit of 5 reached"],
    ["max_open", "GateError: 6 connections exceed the limit, which is exceeded by 1"],
    ["waitTimeout", "GateError: no answer within 5 s"],
    ["MAX_OPEN", "GateError: 6 exceeds the limit"],
    ["open_time_out", "GateError: the wait timed out"],
  ])("is a limit by the words of its name: %s", async (setting, error) => {
    expect(await wordsOfCheck(setting, error)).toContain(`Find out whether \`${setting}\` is reached`);
  });

  it.each(["delimiter", "battle", "maxim", "settleAt", "climax"])(
    "isn't one by a part of a word: %s",
    async (setting) => {
      expect(await wordsOfCheck(setting, "GateError: the limit is exceeded")).not.toContain("Find out whether");
    },
  );

  it.each([
    ["maxConnections", "GateError: maxConnections must be at least 6"],
    ["maxConnections", "GateError: maxConnections exceeds 3, the limit of this server"],
    ["waitTimeout", "GateTimeoutError: invalid waitTimeout"],
    ["maxConnections", "GateError: maxConnections (5) is too small, which 6 exceeded"],
    ["maxConnections", "GateError: maxConnections should be 9, and 6 exceeded it"],
    ["maxConnections", "GateError: the host can't be reached"],
    ["maxConnections", "GateError: stay within 5 of the others"],
  ])("wasn't merely reached where the error says something else: %s, %s", async (setting, error) => {
    expect(await wordsOfCheck(setting, error)).not.toContain("Find out whether");
  });
});

it("isn't claimed to be right, nor surely reached, where an error of another limit is raised", async () => {
  for (const error of ["GateError: no answer within 5 s", "GateError: retries exceeded, 5 is too low"])
    expect(await wordsOfCheck("maxItems", error)).not.toMatch(/what reaches|nothing shows/);
});

describe("a data file that the code reads", () => {
  const files = {
    "src/settings.js": `const { readFileSync } = require("fs");
const file = new URL("../conf/mail.json", import.meta.url);
exports.mail = { ...JSON.parse(readFileSync(file, "utf8")) };
`,
    "src/mail.js": `const { mail } = require("./settings.js");

exports.send = async function send(letter) {
  const response = await fetch(mail.url + "/letters", { method: "POST", body: letter });
  if (!response.ok) throw new MailError(response.status);
};
`,
    "conf/mail.json": `{ "url": "http://127.0.0.1:9", "sender": "a" }\n`,
  };
  const log = `MailError: mail answered 401
    at send (/srv/src/mail.js:5:27)
    at async /srv/src/main.js:9:3
`;

  it("isn't named as the cause without anything in it, nor to be corrected", async () => {
    const { report } = await investigated(textSubject(log, files));
    const words = JSON.stringify(report);
    expect(words).not.toMatch(/is the file that is read|Correct `[^`]*mail\.json`/);
    expect(report.root_cause_summary).not.toMatch(/conf\/mail\.json:\d+` (?:is|sets)/);
  });
});
