import { describe, expect, it } from "vitest";
import { readingLimits } from "../../../src/trace/code/reading.ts";
import { investigated, textSubject } from "../../investigated.ts";

const { fileUnitsMax, filePiecesMax, piecesMax } = readingLimits;

/** A module that takes an environment variable for granted, and what it says when that is missing. */
const failing = [
  `const host = process.env.MAIL_HOST;`,
  `export function connect() {`,
  `  return host.split(":");`,
  `}`,
].join("\n");
const thrownAt = (line: number): string =>
  `TypeError: Cannot read properties of undefined (reading 'split')\n    at connect (/srv/mail.js:${line}:15)\n`;

const filler = (units: number): string => `//${" ".repeat(21)}\n`.repeat(Math.ceil(units / 24)).slice(0, units);
const pieces = (count: number): string => "a,".repeat(count / 2);

async function look(
  files: Readonly<Record<string, string>>,
  line = 3,
): Promise<{ file?: string | undefined; left: string[] }> {
  const { report } = await investigated(textSubject(thrownAt(line), files));
  return {
    file: report.root_cause.location?.file,
    left: report.not_checked.filter((said) => said.startsWith("Source: ")),
  };
}

describe("how much of the code is read", () => {
  it("reads a file of maximum length whole", async () => {
    const text = `${failing}\n${filler(fileUnitsMax)}`.slice(0, fileUnitsMax);
    expect((await look({ "mail.js": text })).left).toEqual([]);
  });

  it("reads only the stretches of a longer file around the stack, and says so", async () => {
    const before = `${filler(fileUnitsMax)}\n`;
    const line = before.split("\n").length;
    const { report } = await investigated(textSubject(thrownAt(line + 2), { "mail.js": `${before}${failing}` }));
    expect(report.root_cause).toMatchObject({ category: "bad-config", location: { file: "mail.js", line } });
    expect(report.not_checked).toContain(
      "Source: `mail.js` was read only around the lines of the stack, because it is too long.",
    );
  });

  it("reads only the stretches around the stack of a file with too many words and symbols", async () => {
    const whole = await look({ "mail.js": `${failing}\n[${pieces(filePiecesMax - 100)}]` });
    const more = await look({ "mail.js": `${failing}\n[${pieces(filePiecesMax)}]` });
    expect(whole.left).toEqual([]);
    expect(more.left).toEqual([expect.stringContaining("because it looks generated")]);
    expect(more.file).toBe("mail.js");
  });

  it("names the files that it didn't reach", async () => {
    const half = `[${pieces(piecesMax / 2)}]`;
    const { file, left } = await look({ "mail.js": failing, "a.js": half, "b.js": half });
    expect(file).toBe("mail.js");
    expect(left).toEqual([expect.stringMatching(/`b\.js` was .*used up the reading budget\.$/)]);
  });

  it("reports code that is nested too deeply", async () => {
    const { left } = await look({ "mail.js": failing, "deep.js": `x = ${"[".repeat(500)}${"]".repeat(500)}` });
    expect(left).toEqual([expect.stringMatching(/`deep\.js` .*it couldn't be parsed/)]);
  });
});
