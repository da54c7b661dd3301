import { describe, expect, it } from "vitest";
import { programTests, runPytest, whereInstalled } from "./run-installed.ts";

describe("the Python client", () => {
  whereInstalled(() => {
    it("passes its tests", () => {
      expect(runPytest("tests", ...programTests.map((file) => `--ignore=${file}`))).toBe("passed");
    });
  });
});
