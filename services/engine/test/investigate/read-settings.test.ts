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
    expect(report.short_term_solutions[0]?.title).toBe("Find out what reaches `waitTimeoutMs`");
  });
});

it("corrects a limit that can't be used", async () => {
  const { report } = await investigated(
    textSubject(
      `RangeError: waitTimeoutMs must be a positive number
    at check (/srv/src/check.js:4:27)
`,
      {
        "src/check.js": `const { gate } = require("../conf/gate.json");

exports.check = function check() {
  if (gate.waitTimeoutMs <= 0) throw new RangeError("waitTimeoutMs must be a positive number");
};
`,
        "conf/gate.json": `{ "gate": { "slots": 2, "waitTimeoutMs": -1 } }\n`,
      },
    ),
  );
  expect(JSON.stringify(report)).not.toContain("nothing shows that it is wrong");
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
