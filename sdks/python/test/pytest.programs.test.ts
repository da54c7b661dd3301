import { describe, expect, it } from "vitest";
import { programTests, runInstalled, runPytest, whereInstalled } from "./run-installed.ts";

describe("the Python client", () => {
  whereInstalled(() => {
    it("reports from servers and programs, which end as without it", () => {
      expect(runPytest(...programTests)).toBe("passed");
    });

    it("passes mypy and ruff", () => {
      expect(runInstalled("mypy", "--cache-dir", "/dev/null")).toBe("passed");
      expect(runInstalled("ruff", "check", "--no-cache")).toBe("passed");
      expect(runInstalled("ruff", "format", "--no-cache", "--check")).toBe("passed");
    });
  });
});
