import { describe, expect, it } from "vitest";
import { failingPackages } from "../../src/changes/failing-packages.ts";
import { parseText } from "../../src/parse/parse.ts";
import type { SourceText } from "../../src/source/source-text.ts";
import { traceError } from "../../src/trace/trace-error.ts";

async function packagesOf(log: string, files: readonly SourceText[] = []): Promise<string[]> {
  const error = parseText(log);
  return [...failingPackages(error, await traceError(error, null, files))];
}

describe("the packages that a failure passes", () => {
  it("are those on the stack, by the innermost folder of packages", async () => {
    const log = `TypeError: x is not a function
    at f (/srv/app/node_modules/@acme/http/node_modules/undici/lib/fetch.js:3:1)
    at g (/srv/app/src/a.js:1:1)
`;
    expect(await packagesOf(log)).toEqual(["undici"]);
  });

  it("are those that the runtime didn't find, without the path inside of them", async () => {
    expect(
      await packagesOf("Error: Cannot find module '@acme/money/format'\n    at f (/srv/app/src/a.js:1:1)\n"),
    ).toEqual(["@acme/money"]);
  });
});
