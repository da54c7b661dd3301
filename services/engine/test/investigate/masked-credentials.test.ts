import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

async function wordsFor(password: string): Promise<string> {
  const log = `RangeError: pin is too short
    at open (/srv/src/vault.js:2:27)
    at main (/srv/src/main.js:5:3)
`;
  const files = {
    "src/vault.js": `exports.open = function open(pin) {
  if (Number(pin) < 1000) throw new RangeError("pin is too short");
};
`,
    "src/users.js": `exports.vaultPin = "${password}";
`,
    "src/main.js": `const { open } = require("./vault.js");
const { vaultPin } = require("./users.js");

function main() {
  open(vaultPin);
}
main();
`,
  };
  const { report } = await investigated(textSubject(log, files));
  return JSON.stringify(report.candidates);
}

describe("a masked credential", () => {
  it("isn't taken for the value that the program has", async () => {
    expect(await wordsFor("abc")).toContain('\\"abc\\"');
    expect(await wordsFor("***")).not.toContain("***");
  });
});
