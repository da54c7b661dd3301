import { describe, expect, it } from "vitest";
import { matchSignatures } from "../../src/match/match.ts";
import { parseText } from "../../src/parse/parse.ts";
import { investigated, textSubject } from "../investigated.ts";

const idsIn = (text: string): string[] => matchSignatures(parseText(text)).map(({ signature }) => signature.id);

const python = (type: string): string => `Traceback (most recent call last):
  File "/srv/pool/jobs.py", line 16, in main
    hold("towels")
  File "/srv/pool/locks.py", line 32, in hold
    raise LockTimeout(f"{path} wasn't released")
${type}: towels.lock wasn't released
`;

describe("the name of an error's class", () => {
  it("says nothing about a product when a module on the stack has the class", () => {
    expect(idsIn(python("pool.locks.LockTimeout"))).not.toContain("mongodb.write-conflict");
  });

  it("says which product failed when another package has the class", () => {
    expect(idsIn(python("pymongo.errors.LockTimeout"))).toContain("mongodb.write-conflict");
  });

  it("says nothing about a product when the failing file declares the class", async () => {
    const declared = "class LockTimeout extends Error {\n  name = 'LockTimeout';\n}\n";
    const hold = "export function hold() {\n  throw new LockTimeout('towels is held');\n}\n";
    const log = "LockTimeout: towels is held\n    at hold (/srv/pool/locks.js:5:9)\n";
    const saidOf = async (text: string): Promise<string> => {
      const { report } = await investigated(textSubject(log, { "locks.js": text }));
      return JSON.stringify(report);
    };
    expect(await saidOf(`${declared}${hold}`)).not.toContain("MongoDB");
    expect(await saidOf(`import { LockTimeout } from "mongo";\n\n\n${hold}`)).toContain("MongoDB");
  });
});
