import { describe, expect, it } from "vitest";
import { investigate } from "../../src/investigate.ts";

const driver = "    at Query.run (/srv/shop/node_modules/orm/lib/query.js:240:11)\n";
/** A short file is rarely the one to change. */
const longFile = "\n".repeat(130);
const shop = {
  "/srv/shop/src/cart.js": `export function add(db, row) {\n  return db.insert('carts', row);\n}\n${longFile}`,
};

async function scoreOf(errorLog: string): Promise<number> {
  const files = Object.entries(shop).map(([name, content]) => ({ name, content }));
  const { confidence } = await investigate(
    {
      incident: { id: "inc_1", service: null, env: null, fingerprint: null },
      input: { kind: "text", errorLog, files },
    },
    { clock: () => 0, onStep: async () => undefined },
    new AbortController().signal,
  );
  return confidence.score;
}

describe("the confidence in a package that reports refused data", () => {
  const refused = "SqliteError: UNIQUE constraint failed: carts.number\n";

  it("is low without any call of the program", async () => {
    expect(await scoreOf(`${refused}${driver}`)).toBeLessThanOrEqual(0.3);
  });

  it("isn't lowered where the stack has one, or the failure is another", async () => {
    expect(await scoreOf(`${refused}${driver}    at add (/srv/shop/src/cart.js:2:13)\n`)).toBeGreaterThan(0.3);
    expect(await scoreOf(`TypeError: Cannot read properties of undefined (reading 'sql')\n${driver}`)).toBeGreaterThan(
      0.3,
    );
  });
});
