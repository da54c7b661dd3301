import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";
import { learnedModel } from "../../src/rank/model.ts";
import { rankPlaces } from "../../src/rank/rank-places.ts";
import { traceError } from "../../src/trace/trace-error.ts";
import { investigated, textSubject } from "../testing.ts";

/** The probability of the innermost file of a pasted stack, by a model that adds so much where an error is thrown. */
async function probability(errorLine: string, thrown: number): Promise<number | undefined> {
  const error = parseText(
    [
      "Traceback (most recent call last):",
      '  File "/srv/depot/intake.py", line 40, in receive',
      "    shelf = self.shelve(parcel)",
      '  File "/srv/depot/shelves.py", line 12, in shelve',
      "    return room_of(parcel)",
      errorLine,
    ].join("\n"),
  );
  const model = learnedModel();
  const traced = await traceError(error, null, []);
  const [first] = rankPlaces({ error, event: null }, traced, [], { ...model, texts: { ...model.texts, thrown } });
  expect(first?.subject.file).toBe("/srv/depot/shelves.py");
  return first?.probability;
}

describe("how sure an answer to a pasted text is", () => {
  it("is less where a file throws an error of the program's own", async () => {
    const error = "depot.errors.NoRoom: 'width'";
    expect(await probability(error, -1)).toBeLessThan((await probability(error, 0)) ?? 0);
  });

  it("stays where the runtime raised the error", async () => {
    expect(await probability("KeyError: 'width'", -1)).toBe(await probability("KeyError: 'width'", 0));
  });

  it("is learned to be less", () => {
    expect(learnedModel().texts.thrown).toBeLessThan(0);
  });
});

describe("the places of a program with source maps", () => {
  const code = "exports.total = (cart) => cart.items.length;\n//# sourceMappingURL=cart.js.map\n";
  const map = JSON.stringify({ version: 3, sources: ["cart.ts"], sourcesContent: [null], names: [], mappings: "" });
  const main = 'const { total } = require("./cart.js");\nexports.show = (cart) => total(cart).toFixed();\n';

  it("are never in a map", async () => {
    const log = "TypeError: Cannot read properties of undefined (reading 'length')\n    at total (/srv/cart.js:1:42)";
    const files = { "/srv/cart.js": code, "/srv/cart.js.map": map, "/srv/main.js": main };
    const { report } = await investigated(textSubject(log, files));
    const candidates = report.candidates.map(({ location }) => location?.file);
    expect(candidates).toContain("/srv/cart.js");
    expect(candidates).toContain("/srv/main.js");
    expect(candidates).not.toContain("/srv/cart.js.map");
  });
});
