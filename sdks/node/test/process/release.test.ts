import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits } from "@whence/protocol/limits";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { releaseFromEnvironment, releaseOfPackage, releaseVariables } from "../../src/process/release.ts";

describe("the release of the environment", () => {
  it("is the first that is set, in the documented order", () => {
    const all = Object.fromEntries(releaseVariables.map((name) => [name, `of ${name}`]));
    for (const name of releaseVariables) {
      expect(releaseFromEnvironment(all)).toBe(`of ${name}`);
      delete all[name];
    }
    expect(releaseFromEnvironment(all)).toBeUndefined();
  });

  it("is none of the empty, the blank, or the endless", () => {
    const environment = {
      WHENCE_RELEASE: "",
      SENTRY_RELEASE: "  ",
      DD_VERSION: "x".repeat(limits.textLengthMax + 1),
      GIT_COMMIT: " abc\n",
    };
    expect(releaseFromEnvironment(environment)).toBe("abc");
  });
});

describe("the release of a program's package", () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "whence-release-"));
    await mkdir(join(root, "shop", "dist", "server"), { recursive: true });
    await mkdir(join(root, "nameless", "dist"), { recursive: true });
    await mkdir(join(root, "broken"), { recursive: true });
    await writeFile(join(root, "package.json"), JSON.stringify({ name: "outer", version: "9.0.0" }));
    await writeFile(join(root, "shop", "package.json"), JSON.stringify({ name: "@acme/shop", version: "1.4.2" }));
    await writeFile(join(root, "shop", "dist", "package.json"), "no JSON");
    await writeFile(join(root, "nameless", "package.json"), JSON.stringify({ version: "2.0.0" }));
    await writeFile(join(root, "broken", "package.json"), JSON.stringify({ name: "private", version: 3 }));
  });
  afterAll(() => rm(root, { recursive: true }));

  it.each([
    ["shop/dist/server/main.js", "@acme/shop@1.4.2"],
    ["shop/main.js", "@acme/shop@1.4.2"],
    ["nameless/dist/main.js", "2.0.0"],
    ["broken/main.js", undefined],
    ["main.js", "outer@9.0.0"],
  ])("of %s is %s: that of the manifest nearest to its entry", (entry, release) => {
    expect(releaseOfPackage(join(root, entry))).toBe(release);
  });

  it("is none without an entry, as in a REPL, and none where there is no package", () => {
    expect([releaseOfPackage(undefined), releaseOfPackage(""), releaseOfPackage("/nowhere/main.js")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
