import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

describe("an export that a module lacks", () => {
  it("is named, with the one that is almost it", async () => {
    const message = "SyntaxError: The requested module './b.js' does not provide an export named 'sendMail'";
    const files = {
      "a.js": "import { sendMail } from './b.js';\n",
      "b.js": "export const x = 1;\nexport function sendMails() {}\n",
    };
    const found = ofKind(await signalsIn(files, message, "file:///srv/a.js:1:1"), "missing-export");
    expect(found[0]).toEqual({ line: 1, args: { name: "sendMail", module: "./b.js", similar: "sendMails" } });
  });
});
