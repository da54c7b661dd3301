import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SourceFiles } from "@whence/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCheckout } from "../../src/sources/checkout.ts";

const bytesMax = 1_000;
let outside: string;
let folder: string;

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), "whence-checkout-"));
  folder = join(outside, "orders");
  await mkdir(folder);
});
afterEach(() => rm(outside, { recursive: true, force: true }));

async function write(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

async function open(release = "1.0.0"): Promise<SourceFiles> {
  const checkout = await openCheckout(folder, { name: release, commit: null });
  if (!checkout) throw new Error("there is no checkout");
  return checkout;
}

function git(...args: readonly string[]): void {
  const person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  execFileSync("git", [...person, ...args], { cwd: folder, stdio: "ignore" });
}

describe("a checkout on disk", () => {
  it("lists and reads the code below its folder", async () => {
    await write("src/stock.ts", "export {};\n");
    await write("node_modules/express/index.js", "module.exports = 1;\n");
    const checkout = await open();
    expect(await checkout.paths()).toEqual(["src/stock.ts"]);
    expect(await checkout.read("src/stock.ts", bytesMax)).toEqual({
      ...{ outcome: "read", text: "export {};\n", version: "on disk" },
    });
    expect(await checkout.read("node_modules/express/index.js", bytesMax)).toMatchObject({ outcome: "read" });
  });

  it.each([
    ".env",
    ".env.production",
    "config/.env.js",
    ".git/config.json",
    "tls/server.pem",
    "tls/server.key",
    "id_rsa",
    "config/credentials.json",
    "config/service-account.json",
  ])("never reads %s", async (path) => {
    await write(path, "SECRET=1\n");
    const checkout = await open();
    expect(await checkout.read(path, bytesMax)).toEqual({ outcome: "absent" });
    expect(await checkout.paths()).toEqual([]);
    expect(await checkout.search?.(["SECRET"])).toEqual([]);
  });

  it("never leaves its folder: by dots, by an absolute path, or by a link", async () => {
    await writeFile(join(outside, "other.ts"), "export {};\n");
    await symlink(join(outside, "other.ts"), join(folder, "linked.ts"));
    await symlink(outside, join(folder, "up"));
    const checkout = await open();
    for (const path of ["../other.ts", "src/../../other.ts", join(outside, "other.ts"), "linked.ts", "up/other.ts"]) {
      expect(await checkout.read(path, bytesMax)).toEqual({ outcome: "absent" });
    }
    expect(await checkout.paths()).toEqual([]);
  });

  it("doesn't follow a link with a harmless name to a secret", async () => {
    await write(".env", "SECRET=1\n");
    await symlink(join(folder, ".env"), join(folder, "settings.ts"));
    expect(await (await open()).read("settings.ts", bytesMax)).toEqual({ outcome: "absent" });
  });

  it("reports what is missing, too large, or not text", async () => {
    await write("large.ts", "x".repeat(bytesMax + 1));
    await write("bytes.ts", new Uint8Array([0xff, 0xfe]));
    await write("zero.ts", "a\0b");
    const checkout = await open();
    expect(await checkout.read("missing.ts", bytesMax)).toEqual({ outcome: "absent" });
    expect(await checkout.read("large.ts", bytesMax)).toEqual({ outcome: "too-large" });
    expect(await checkout.read("bytes.ts", bytesMax)).toEqual({ outcome: "not-text" });
    expect(await checkout.read("zero.ts", bytesMax)).toEqual({ outcome: "not-text" });
  });

  it("is null when its folder doesn't exist", async () => {
    expect(await openCheckout(join(outside, "payments"), { name: "1.0.0", commit: null })).toBeNull();
  });
});

describe("a checkout that is a git repository", () => {
  beforeEach(async () => {
    git("init", "-q");
    await write("src/stock.ts", "export const size = 1;\n");
    await write(".env", "SECRET=1\n");
    git("add", "-A");
    git("commit", "-q", "-m", "one");
    git("tag", "v1.0.0");
    await write("src/stock.ts", "export const size = 2;\n");
    await write("src/later.ts", "export {};\n");
  });

  it("reads the files of the release's tag", async () => {
    const checkout = await open("1.0.0");
    expect(await checkout.paths()).toEqual(["src/stock.ts"]);
    expect(await checkout.read("src/stock.ts", bytesMax)).toEqual({
      ...{ outcome: "read", text: "export const size = 1;\n", version: "git v1.0.0" },
    });
    expect(await checkout.search?.(["size"])).toEqual(["src/stock.ts"]);
    expect(await checkout.read(".env", bytesMax)).toEqual({ outcome: "absent" });
    expect(await checkout.read("src/stock.ts", 5)).toEqual({ outcome: "too-large" });
  });

  it.each(["v1.0.0", "shop@1.0.0", "@acme/shop@1.0.0+0123abc"])(
    "finds the tag of what a client reports as %s",
    async (release) => {
      expect(await (await open(release)).read("src/stock.ts", bytesMax)).toMatchObject({ version: "git v1.0.0" });
    },
  );

  it("reads the files of a release that is a commit's ID", async () => {
    const id = execFileSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8" }).trim();
    const read = await (await open(id.slice(0, 10))).read("src/stock.ts", bytesMax);
    expect(read).toMatchObject({ outcome: "read", version: `git ${id.slice(0, 10)}` });
    const after = await (await open(`shop@1.4.2+${id.slice(0, 12)}`)).read("src/stock.ts", bytesMax);
    expect(after).toMatchObject({ outcome: "read", version: `git ${id.slice(0, 12)}` });
  });

  it("finds the commit that the longest name of a release ends with", async () => {
    const id = execFileSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8" }).trim();
    const name = `${`@scope/shop@${"9".repeat(187)}`.slice(0, 199 - 12)}+${id.slice(0, 12)}`;
    expect(name).toHaveLength(200);
    expect(await (await open(name)).read("src/stock.ts", bytesMax)).toMatchObject({
      version: `git ${id.slice(0, 12)}`,
    });
  });

  it.each(["2.0.0", "master", "HEAD", "--help", "-x", "a b", ""])(
    "reads the disk for the release %j",
    async (release) => {
      expect(await (await open(release)).read("src/stock.ts", bytesMax)).toMatchObject({
        ...{ text: "export const size = 2;\n", version: "on disk" },
      });
    },
  );
});
