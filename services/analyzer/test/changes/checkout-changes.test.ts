import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeLimits } from "../../src/changes/change-limits.ts";
import { checkoutChanges } from "../../src/changes/checkout-changes.ts";
import type { ReleaseChanges } from "../../src/changes/release-changes.ts";
import { startTestService, type TestService } from "../test-service.ts";

let service: TestService;
let repository: string;
let scopeId: string;
const { signal } = new AbortController();

beforeAll(async () => {
  service = await startTestService();
  repository = await mkdtemp(join(tmpdir(), "whence-history-"));
  scopeId = (await service.control.organizations.ensure({ slug: "acme", name: "acme", now: new Date() })).id;
  git("init", "--quiet");
  await commit("Ada", "first", {
    "orders/src/a.js": "one\ntwo\nthree\n",
    "orders/src/b.js": "b();\n",
    "other/c.js": "c\n",
  });
  git("tag", "1.0.0");
  await commit("Grace", "change two", { "orders/src/a.js": "one\n2\nthree\n" });
  await commit("Alan", "change three", { "orders/src/a.js": "one\n2\n3\n", "orders/requirements.txt": "pg==1.0\n" });
  await commit("Mary", "outside", { "other/c.js": "C\n", "orders/.env": "SECRET=1\n" });
  git("mv", "orders/src/b.js", "orders/src/moved.js");
  await commit("Mary", "move b", { "orders/data.bin": "\0\u0001" });
  git("tag", "v2.0.0");
});
afterAll(async () => {
  await service.close();
  await rm(repository, { recursive: true, force: true });
});

function git(...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.email=a@example.com", ...args], { cwd: repository, stdio: "ignore" });
}

async function commit(author: string, subject: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(repository, path)), { recursive: true });
    await writeFile(join(repository, path), text);
  }
  git("add", "--all");
  git("-c", `user.name=${author}`, "commit", "--quiet", "--message", subject);
}

function compare(from: string, to: string, organization = "acme"): Promise<ReleaseChanges | null> {
  const checkouts = [{ organization, service: "orders", folder: join(repository, "orders") }];
  return checkoutChanges(checkouts, service.control).between(
    { scopeId, service: "orders", from, to },
    signal,
    () => undefined,
  );
}

describe("two releases in a git checkout", () => {
  it("differ in the lines of the service's folder, read from the two tags", async () => {
    const changes = await compare("1.0.0", "2.0.0");
    expect(changes?.files).toEqual([
      { path: "src/a.js", hunks: [{ from: 2, removed: ["two", "three"], to: 2, added: ["2", "3"] }] },
      { path: "requirements.txt", hunks: [{ from: 1, removed: [], to: 1, added: ["pg==1.0"] }] },
    ]);
    expect(changes).toMatchObject({ version: "git 1.0.0..v2.0.0", filesChanged: 2, isWhole: true });
  });

  it("have the commits that changed the folder, newest first", async () => {
    const changes = await compare("1.0.0", "2.0.0");
    const said = changes?.commits.map(({ author, subject }) => `${author}: ${subject}`);
    expect(said).toEqual(["Mary: move b", "Mary: outside", "Alan: change three", "Grace: change two"]);
  });

  it("name the newest commit that left a line as it is", async () => {
    const changes = await compare("1.0.0", "2.0.0");
    const made = (added: readonly string[]) =>
      changes?.commitOf?.("src/a.js", { from: 2, removed: [], to: 2, added })?.author;
    expect(made(["2"])).toBe("Grace");
    expect(made(["3"])).toBe("Alan");
    expect(made(["nothing like it"])).toBeUndefined();
  });

  it("aren't whole when one has generated code, which is left out", async () => {
    await commit("Mary", "build", {
      "orders/dist.js": "x".repeat(changeLimits.lineUnitsMax),
      "orders/src/c.js": "c();\n",
    });
    git("tag", "2.1.0");
    expect(await compare("2.0.0", "2.1.0")).toMatchObject({ isWhole: true, filesChanged: 2 });
    await commit("Mary", "build", { "orders/dist.js": "x".repeat(changeLimits.lineUnitsMax + 1) });
    git("tag", "2.1.1");
    const changes = await compare("2.0.0", "2.1.1");
    expect(changes).toMatchObject({ isWhole: false, filesChanged: 2 });
    expect(changes?.files.map(({ path }) => path)).toEqual(["src/c.js"]);
  });

  it("never run what the repository configures", async () => {
    git("config", "diff.external", "touch ran-external");
    git("config", "diff.noprefix", "true");
    expect((await compare("1.0.0", "2.0.0"))?.files.map(({ path }) => path)).toEqual(["src/a.js", "requirements.txt"]);
  });

  it("are found by the commits in their reports, whatever the releases are called", async () => {
    const idOf = (ref: string) => execFileSync("git", ["rev-parse", ref], { cwd: repository }).toString().trim();
    const { releases } = service.control.scope(scopeId);
    for (const [release, ref] of Object.entries({ "build-1": "1.0.0", "build-2": "v2.0.0^{commit}" })) {
      const live = { service: "orders", release, env: "PROD", commit: idOf(ref), url: null };
      await releases.report({ ...live, reportedBy: "key_ci" }, new Date(), 10);
    }
    const changes = await compare("build-1", "orders@build-2");
    expect(changes?.files.map(({ path }) => path)).toEqual(["src/a.js", "requirements.txt"]);
    expect(changes?.version).toBe(`git ${idOf("1.0.0").slice(0, 12)}..${idOf("v2.0.0^{commit}").slice(0, 12)}`);
  });

  it("are unknown when one of them is neither a tag nor a commit, and to another organization", async () => {
    expect(await compare("0.1.0", "2.0.0")).toBeNull();
    expect(await compare("1.0.0", "2.0.0", "labs")).toBeNull();
  });
});
