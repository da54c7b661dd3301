import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");
const installed = join(folder, "../../node_modules/.python/bin");
const isInstalled = existsSync(join(installed, "pytest"));

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(join(installed, program), args, { cwd: folder, encoding: "utf8" });
  return status === 0 ? "passed" : `${stdout}${stderr}`;
}

describe("the Python client", () => {
  if (!isInstalled) {
    it("isn't tested without sdks/python/install-tests, which needs Python 3.10 or newer", () => {
      expect(env.WHENCE_CI_RUN, "CI installs it").toBeUndefined();
    });
    return;
  }

  it("passes its tests", () => {
    expect(run("python", "-m", "pytest", "-p", "no:cacheprovider", "tests")).toBe("passed");
  });

  it("passes mypy and ruff", () => {
    expect(run("mypy", "--cache-dir", "/dev/null")).toBe("passed");
    expect(run("ruff", "check", "--no-cache")).toBe("passed");
    expect(run("ruff", "format", "--no-cache", "--check")).toBe("passed");
  });
});
