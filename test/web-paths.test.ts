import { describe, expect, it } from "vitest";
import { applicationPaths } from "../services/analyzer/src/web/application-paths.ts";
import { paths } from "../services/web/src/config/paths.ts";

describe("the paths of the application", () => {
  it("match those for which the service answers with its page", () => {
    const asTheRouterReadsThem = Object.values(paths).map((path) => path.replaceAll("$", ":"));
    expect(asTheRouterReadsThem.toSorted()).toEqual(applicationPaths.toSorted());
  });
});
