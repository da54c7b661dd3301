import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { CodeHost } from "../../src/code-hosts/code-host.ts";
import { openGitHub } from "../../src/github/code-host.ts";
import { type EmulatedGitHub, startEmulatedGitHub } from "./emulated-github.ts";

const { signal } = new AbortController();
const tagSchema = z.object({ sha: z.string() });

let github: EmulatedGitHub;
let repository: string;
let host: CodeHost;
let first: string;
let second: string;

beforeAll(async () => {
  github = await startEmulatedGitHub();
  repository = github.repository;
  const written = await github.write("src/stock.ts", "one\ntwo\n");
  first = written.commit;
  second = (await github.write("src/stock.ts", "one\n2\n", written.content)).commit;
  const annotated = { tag: "v2.0.0", message: "Version 2", object: second, type: "commit" };
  const { sha } = tagSchema.parse(await github.ada("POST", "/git/tags", annotated));
  await github.ada("POST", "/git/refs", { ref: "refs/tags/v2.0.0", sha });
  await github.ada("POST", "/git/refs", { ref: "refs/tags/v1.0.0", sha: first });
  host = openGitHub(github.app, github.installation, github.context);
});
afterAll(async () => {
  await host?.close();
  await github?.close();
});

describe("an installation of the GitHub App, as emulated by emulate", () => {
  it("finds the repository named after a service", async () => {
    expect(await host.repositoryNamed("shop", signal)).toBe(repository);
    expect(await host.repositoryNamed("payments", signal)).toBeNull();
  });

  it.each([
    ["a tag", "v1.0.0", () => first],
    ["an annotated tag", "2.0.0", () => second],
  ])("finds the commit of %s", async (_, name, id) => {
    const found = await host.findCommit(repository, { name, commit: null }, signal);
    expect(found?.id).toBe(id());
  });

  it("finds a commit by its prefix, and no unknown one", async () => {
    const named = (commit: string) => host.findCommit(repository, { name: "0", commit }, signal);
    expect(await named(first.slice(0, 12))).toMatchObject({ id: first });
    expect(await named("0123456789ab")).toBeNull();
  });

  it("reads a file as it was at a commit", async () => {
    expect(await host.paths(repository, first, signal)).toContain("src/stock.ts");
    const read = (id: string, path: string) =>
      host.read({ repository, commit: { name: "v1.0.0", id }, path }, 1_000, signal);
    expect(await read(first, "src/stock.ts")).toMatchObject({ text: "one\ntwo\n" });
    expect(await read(second, "src/stock.ts")).toMatchObject({ text: "one\n2\n" });
    expect(await read(first, "src/absent.ts")).toEqual({ outcome: "absent" });
  });

  it("has the newest commit of its default branch", async () => {
    expect(await host.commitAt(repository, "2099-01-01T00:00:00.000Z", signal)).toMatchObject({ id: second });
  });

  it("compares two commits", async () => {
    const compared = await host.compare(repository, first, second, signal);
    expect(compared.commits).toMatchObject([{ id: second, subject: "Write src/stock.ts" }]);
    expect(compared.files).toMatchObject([{ path: "src/stock.ts", patch: expect.stringContaining("-two\n+2") }]);
  });

  it("is rejected with another key than the app's", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const pem = other.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const stranger = openGitHub({ ...github.app, privateKey: pem }, github.installation, github.context);
    await expect(stranger.repositoryNamed("shop", signal)).rejects.toMatchObject({ reason: "unauthorized" });
    await stranger.close();
  });
});
