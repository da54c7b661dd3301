import { describe, expect, it } from "vitest";
import { VendorFailure } from "../../src/http/vendor-failure.ts";
import { answeredParts } from "../../src/integrations/answered-parts.ts";

const refused = (): Promise<never> => Promise.reject(new VendorFailure("forbidden", "no access"));

describe("several requests to one vendor", () => {
  it("return what was answered, in their order, and report what is missing", async () => {
    const missing: unknown[] = [];
    const missed = (failure: unknown): unknown => missing.push(failure);
    expect(await answeredParts([refused(), Promise.resolve([])], { missed })).toEqual([[], []]);
    expect(missing).toMatchObject([{ reason: "forbidden" }]);
  });

  it("fail when none was answered", async () => {
    await expect(answeredParts([refused(), refused()], {})).rejects.toMatchObject({ reason: "forbidden" });
  });
});
