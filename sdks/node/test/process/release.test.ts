import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits } from "@whence/protocol/limits";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployedRelease, releaseFromEnvironment, releaseVariables } from "../../src/process/release.ts";

describe("the release of the environment", () => {
  it("is the first variable that is set, in the documented order", () => {
    const all = Object.fromEntries(releaseVariables.map((name) => [name, `of ${name}`]));
    for (const name of releaseVariables) {
      expect(releaseFromEnvironment(all)).toBe(`of ${name}`);
      delete all[name];
    }
    expect(releaseFromEnvironment(all)).toBeUndefined();
  });

  it("ignores empty, blank, and overlong values", () => {
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
    expect(deployedRelease(join(root, entry), "/nowhere")).toBe(release);
  });

  it.each([
    ["next", "node_modules/next/dist/bin/next"],
    ["fastify-cli", "node_modules/.bin/fastify"],
    ["a thread of piscina", "node_modules/.pnpm/piscina@5.0.0/node_modules/piscina/dist/worker.js"],
    ["a command that is installed globally", "bin/verdaccio"],
    ["no entry, as in a REPL", undefined],
  ])("is that of the working directory's package when the entry is %s", async (_what, entry) => {
    const launcher = join(root, "lib", "node_modules", "verdaccio", "bin");
    await mkdir(launcher, { recursive: true });
    await mkdir(join(root, "bin"), { recursive: true });
    await writeFile(join(launcher, "verdaccio"), "");
    await rm(join(root, "bin", "verdaccio"), { force: true });
    await symlink(join(launcher, "verdaccio"), join(root, "bin", "verdaccio"));
    const file = entry && join(root, entry);
    expect(deployedRelease(file, join(root, "shop", "dist"))).toBe("@acme/shop@1.4.2");
    expect(deployedRelease(file, "/nowhere")).toBeUndefined();
  });

  it("is undefined without a package", () => {
    expect([deployedRelease("/nowhere/main.js", "/nowhere"), deployedRelease(undefined, "")]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("the commit of a release", () => {
  let root: string;
  const git = (folder: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: folder,
      encoding: "utf8",
    }).trim();
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "whence-commit-"));
    await mkdir(join(root, "shop", "src"), { recursive: true });
    await writeFile(join(root, "shop", "package.json"), JSON.stringify({ name: "shop", version: "1.4.2" }));
    git(root, "init", "--quiet", "--initial-branch", "main");
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message", "first");
  });
  afterAll(() => rm(root, { recursive: true }));

  const released = (folder = root): string | undefined => deployedRelease(join(folder, "shop", "src", "main.js"), "");
  const expected = (folder = root): string => `shop@1.4.2+${git(folder, "rev-parse", "--short=12", "HEAD")}`;

  it("is that of the checked-out branch", () => {
    expect(released()).toBe(expected());
  });

  it("is found when git has packed its refs", () => {
    git(root, "pack-refs", "--all");
    expect(released()).toBe(expected());
  });

  it("is found in a worktree, on a branch or without one", () => {
    git(root, "worktree", "add", "--quiet", "-b", "fix/price", join(root, "worktree"));
    const worktree = join(root, "worktree");
    git(worktree, "commit", "--quiet", "--allow-empty", "--message", "second");
    expect(released(worktree)).toBe(expected(worktree));
    expect(released(worktree)).not.toBe(expected());
    git(worktree, "checkout", "--quiet", "--detach");
    expect(released(worktree)).toBe(expected(worktree));
  });

  it("is the whole release when the package has no version", async () => {
    await writeFile(join(root, "shop", "package.json"), JSON.stringify({ private: true }));
    expect(released()).toBe(git(root, "rev-parse", "HEAD"));
  });

  it("is undefined in a repository without a commit, or with damaged files", async () => {
    const empty = join(root, "empty");
    await mkdir(empty);
    git(empty, "init", "--quiet");
    expect(deployedRelease(undefined, empty)).toBeUndefined();
    await writeFile(join(empty, ".git", "HEAD"), "no commit\n");
    expect(deployedRelease(undefined, empty)).toBeUndefined();
  });
});

it("is documented with its variables", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/sdk/release.md"), "utf8");
  const listed = page
    .split("## From the package")[0]
    ?.match(/^\| .*?\| /gm)
    ?.flatMap((cell) => cell.match(/[A-Z_\d]{4,}/g) ?? []);
  expect(new Set(listed)).toEqual(new Set(releaseVariables));
});
