import { describe, expect, it } from "vitest";
import { investigate } from "../../src/investigate.ts";

async function headlineOf(errorLog: string, files: Record<string, string> = {}): Promise<string> {
  const report = await investigate(
    {
      incident: { id: "inc_1", service: null, env: null, fingerprint: null },
      input: { kind: "text", errorLog, files: Object.entries(files).map(([name, content]) => ({ name, content })) },
    },
    { clock: () => 0, onStep: async () => undefined },
    AbortSignal.timeout(60_000),
  );
  return report.root_cause_summary;
}

const calls =
  "\tat java.base/java.util.HashMap.putVal(HashMap.java:655)\n\tat java.base/java.lang.Thread.run(Thread.java:840)\n";
const log = `java.lang.IllegalStateException: no more rows\n${calls}`;

describe("the headline of a stack that has only calls of the runtime", () => {
  it("says so", async () => {
    expect(await headlineOf(log)).toContain("The stack shows only the runtime's own calls.");
  });

  it("names no file that nothing leads to", async () => {
    const headline = await headlineOf(log, { "src/shop/Cart.java": "class Cart {\n  int total() { return 0; }\n}\n" });
    expect(headline).toContain("The stack shows only the runtime's own calls.");
    expect(headline).not.toContain("Cart");
  });

  it("isn't said when one call is of the application", async () => {
    const headline = await headlineOf(`${log}\tat shop.Main.main(Main.java:3)\n`);
    expect(headline).not.toContain("runtime's own calls");
  });
});
