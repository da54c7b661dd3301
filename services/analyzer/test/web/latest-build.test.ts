import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { latestBuild } from "../../src/web/latest-build.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-build-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});

/** Ends a build as the build programs do, at a time of its own. */
async function finishBuild(seconds: number): Promise<void> {
  await writeFile(join(folder, "built-from"), "x");
  await utimes(join(folder, "built-from"), seconds, seconds);
}

describe("the latest build", () => {
  it("is absent until the build has ended, and while another one runs", async () => {
    const build = latestBuild(folder, () => "output");
    expect(latestBuild(join(folder, "absent"), () => "output")()).toBeNull();
    expect(build()).toBeNull();
    await finishBuild(1);
    expect(build()).toBe("output");
    await rm(join(folder, "built-from"));
    expect(build()).toBeNull();
  });

  it("is opened once, and again after the next build", async () => {
    let opened = 0;
    const build = latestBuild(folder, () => readFile(join(folder, "page"), "utf8").finally(() => opened++));
    for (const [seconds, text] of ["first", "second"].entries()) {
      await writeFile(join(folder, "page"), text);
      await finishBuild(seconds);
      expect([await build(), await build(), opened]).toEqual([text, text, seconds + 1]);
    }
  });
});
