import { generateKeyPairSync } from "node:crypto";
import getRepository from "@octokit/fixtures/scenarios/api.github.com/get-repository/normalized-fixture.json" with {
  type: "json",
};
import gitRefs from "@octokit/fixtures/scenarios/api.github.com/git-refs/normalized-fixture.json" with { type: "json" };
import releaseAssets from "@octokit/fixtures/scenarios/api.github.com/release-assets/normalized-fixture.json" with {
  type: "json",
};
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { CodeHost } from "../../src/code-hosts/code-host.ts";
import { gitHubRepositories, openGitHub } from "../../src/github/code-host.ts";
import { vendorLimits } from "../../src/http/vendor-limits.ts";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const app = { clientId: "the-client-id", clientSecret: "the-client-secret", slug: "whence", privateKey };
const installationToken = "ghs-very-secret";
const [commitId, tagId] = ["3f2a91c".padEnd(40, "0"), "beef".padEnd(40, "0")];
const minted: VendorAnswerOf = {
  status: 201,
  body: { token: installationToken, expires_at: "2099-01-01T00:00:00Z", permissions: { contents: "read" } },
};
const { signal } = new AbortController();
let vendor: VendorServer;
let host: CodeHost;

beforeAll(async () => {
  vendor = await startVendorServer();
});
afterAll(() => vendor.close());
beforeEach(() => {
  host = openGitHub(app, { installationId: 7, account: "acme" }, vendor.context);
  return () => host.close();
});

/** Answers these paths, and 404 otherwise. */
function answer(answers: Readonly<Record<string, unknown>>, token = minted): void {
  vendor.answer(({ method, url }) => {
    if (url.pathname === "/app/installations/7/access_tokens") return token;
    const body = answers[`${method} ${decodeURIComponent(url.pathname)}`];
    return body === undefined ? { status: 404, body: { message: "Not Found" } } : { body };
  });
}

const repository = "acme/shop";
const base = `/repos/${repository}`;
const at = { repository, commit: { name: "v1.4.2", id: commitId }, path: "src/stock.ts" };
const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString("base64");

describe("an installation of the GitHub App", () => {
  it("reads with a read-only token, created with the app's key", async () => {
    answer({ "GET /installation/repositories": { total_count: 1, repositories: [{ full_name: repository }] } });
    const from = vendor.requests.length;
    expect(await host.account(signal)).toBe("acme");
    const [mint, read] = vendor.requests.slice(from);
    expect(mint?.headers.authorization).toMatch(/^bearer [\w-]+\.[\w-]+\.[\w-]+$/i);
    expect(JSON.parse(mint?.body ?? "")).toEqual({
      permissions: { contents: "read", deployments: "read", metadata: "read" },
    });
    expect(read?.headers.authorization).toBe(`Bearer ${installationToken}`);
  });

  it.each([
    [401, "unauthorized", "the operator has to configure it again"],
    [404, "unauthorized", "uninstalled or suspended at GitHub: connect it again"],
    [422, "forbidden", "lacks a permission"],
    [500, "unavailable", "can't be reached"],
  ])("says what to do when GitHub creates no token (%i)", async (status, reason, words) => {
    answer({}, { status, body: { message: privateKey } });
    const failure = await host.account(signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason, message: expect.stringContaining(words) });
    expect(String(failure)).not.toContain("PRIVATE KEY");
  });

  it("is never contacted at an address that may not be reached", async () => {
    const guarded = openGitHub(
      app,
      { installationId: 7, account: "acme" },
      { ...vendor.context, mayReach: () => false },
    );
    await expect(guarded.account(signal)).rejects.toMatchObject({ reason: "refused-address" });
    await guarded.close();
  });

  it.each([
    ["x-ratelimit-remaining", "0"],
    ["retry-after", "60"],
  ])("counts a 403 with %s as a rate limit", async (name, value) => {
    const reset = String(Date.parse("2026-03-01T12:30:00Z") / 1_000);
    vendor.answer(({ url }) =>
      url.pathname.endsWith("access_tokens")
        ? minted
        : { status: 403, headers: { [name]: value, "x-ratelimit-reset": reset } },
    );
    const retryAfterMs = name === "retry-after" ? 60_000 : 1_800_000;
    await expect(host.account(signal)).rejects.toMatchObject({ reason: "rate-limited", retryAfterMs });
  });
});

describe("a repository at GitHub", () => {
  it("is found by the service's name in the connected account", async () => {
    answer({ [`GET ${base}`]: { full_name: "acme/Shop" } });
    expect(await host.repositoryNamed("shop", signal)).toBe("acme/Shop");
    expect(await host.repositoryNamed("orders", signal)).toBeNull();
    const from = vendor.requests.length;
    expect(await host.repositoryNamed("../other/shop", signal)).toBeNull();
    expect(vendor.requests.length).toBe(from);
  });

  it.each([
    ["shop@1.4.2+3f2a91c", "3f2a91c"],
    ["3f2a91c", "3f2a91c"],
    ["1.4.2", "v1.4.2"],
    ["v1.4.2", "v1.4.2"],
    ["shop@1.4.2", "v1.4.2"],
    ["shop@1.4.2+0000000", "v1.4.2"],
  ])("has the commit that the release %s names", async (release, name) => {
    vendor.answer(({ url }) => {
      if (url.pathname.endsWith("access_tokens")) return minted;
      if (url.pathname === `${base}/git/tags/${tagId}`) return { body: { object: { sha: commitId } } };
      if (url.pathname.startsWith(`${base}/git/matching-refs/tags/v1.4.2`)) {
        const tag = { type: "tag", sha: tagId };
        return {
          body: [
            { ref: "refs/tags/v1.4.20", object: tag },
            { ref: "refs/tags/v1.4.2", object: tag },
          ],
        };
      }
      if (url.pathname.startsWith(`${base}/git/matching-refs`)) return { body: [] };
      return url.searchParams.get("sha") === "3f2a91c" ? { body: [{ sha: commitId }] } : { status: 404 };
    });
    expect(await host.findCommit(repository, { name: release, commit: null }, signal)).toEqual({ name, id: commitId });
  });

  it("has no commit for an unknown release, or one that can't be a name", async () => {
    vendor.answer(({ url }) => (url.pathname.endsWith("access_tokens") ? minted : { body: [] }));
    expect(await host.findCommit(repository, { name: "shop@9.9.9", commit: null }, signal)).toBeNull();
    expect(await host.findCommit(repository, { name: "../../etc", commit: null }, signal)).toBeNull();
  });

  it("lists its files, and reads one at a commit", async () => {
    answer({
      [`GET ${base}/git/trees/${commitId}`]: {
        tree: [
          { path: "src", type: "tree" },
          { path: "src/stock.ts", type: "blob", size: 11 },
        ],
        truncated: false,
      },
      [`GET ${base}/contents/src/stock.ts`]: {
        type: "file",
        size: 11,
        encoding: "base64",
        content: base64("export {};\n"),
      },
    });
    expect(await host.paths(repository, commitId, signal)).toEqual(["src/stock.ts"]);
    expect(await host.read(at, 11, signal)).toEqual({
      outcome: "read",
      text: "export {};\n",
      version: "GitHub, v1.4.2",
    });
    expect(await host.read(at, 10, signal)).toEqual({ outcome: "too-large" });
    expect(vendor.requests.at(-1)?.url.searchParams.get("ref")).toBe(commitId);
    expect(await host.read({ ...at, path: "src/gone.ts" }, 11, signal)).toEqual({ outcome: "absent" });
  });

  it.each([
    ["a folder", [{ name: "stock.ts" }], "absent"],
    ["a link to another repository", { type: "submodule", size: 0 }, "absent"],
    ["a file above one megabyte", { type: "file", size: 10, encoding: "none", content: "" }, "too-large"],
    [
      "a picture",
      { type: "file", size: 2, encoding: "base64", content: base64(new Uint8Array([0xff, 0xd8])) },
      "not-text",
    ],
  ])("reads no text of %s", async (_what, content, outcome) => {
    answer({ [`GET ${base}/contents/src/stock.ts`]: content });
    expect(await host.read(at, 1_000, signal)).toEqual({ outcome });
  });

  it("has the newest commit of its default branch at a time", async () => {
    answer({ [`GET ${base}/commits`]: [{ sha: commitId }] });
    expect(await host.commitAt(repository, "2026-03-01T12:00:00.000Z", signal)).toEqual({
      ...{ name: "3f2a91c00000", id: commitId },
    });
    const { searchParams } = vendor.requests.at(-1)?.url ?? new URL("http://none");
    expect(Object.fromEntries(searchParams)).toEqual({ until: "2026-03-01T12:00:00.000Z", per_page: "1" });
    answer({ [`GET ${base}/commits`]: [] });
    expect(await host.commitAt(repository, "2026-03-01T12:00:00.000Z", signal)).toBeNull();
    expect(await host.commitAt("acme/none", "2026-03-01T12:00:00.000Z", signal)).toBeNull();
  });

  it.each([
    ["https://github.com/acme/shop/issues/7", repository],
    ["https://github.com/acme/shop/issues/7#issuecomment-1", repository],
    ["https://github.com/acme/shop/pull/7", null],
    ["https://github.com/acme/shop/wiki/issues/7", null],
    ["https://github.com.example.com/acme/shop/issues/7", null],
    ["https://github.example.com/acme/shop/issues/7", null],
    ["https://github.com/acme/../../issues/7", null],
  ])("is that of the issue at %s: %s", (page, found) => {
    expect(gitHubRepositories.repositoryOfIssue(page, {})).toBe(found);
  });

  it("compares two commits, up to the maximum number of commits and files", async () => {
    const date = "2026-03-01T10:00:00Z";
    const commit = (index: number) => ({
      ...{ sha: String(index), commit: { message: `Fix ${index}\n\nAt length.`, author: { name: "Ada", date } } },
    });
    const many = vendorLimits.comparedFilesMax + 1;
    answer({
      [`GET ${base}/compare/v1.4.1...v1.4.2`]: {
        commits: [commit(1), { ...commit(2), commit: { message: "x", author: null } }],
        files: Array.from({ length: many }, (_, index) => ({
          filename: `${index}.ts`,
          ...(index === 0 ? {} : { patch: "@@" }),
        })),
      },
    });
    const { commits, files } = await host.compare(repository, "v1.4.1", "v1.4.2", signal);
    expect(commits).toEqual([{ id: "1", author: "Ada", subject: "Fix 1", at: date }]);
    expect(files).toHaveLength(vendorLimits.comparedFilesMax);
    expect(files.slice(0, 2)).toEqual([
      { path: "0.ts", patch: null },
      { path: "1.ts", patch: "@@" },
    ]);
  });

  it("says who wrote the requested lines", async () => {
    const range = (startingLine: number, endingLine: number, oid: string) => ({
      ...{ startingLine, endingLine },
      commit: { oid, messageHeadline: `Change ${oid}`, committedDate: "2026-03-01T10:00:00Z", author: { name: "Ada" } },
    });
    const ranges = [range(1, 4, "a"), range(5, 9, "b"), range(10, 20, "c")];
    answer({ "POST /graphql": { data: { repository: { object: { blame: { ranges } } } } } });
    const blamed = await host.blame(at, { from: 4, to: 9 }, signal);
    expect(blamed.map(({ from, to, commit }) => [from, to, commit.id])).toEqual([
      [4, 4, "a"],
      [5, 9, "b"],
    ]);
    expect(blamed[0]?.commit).toMatchObject({ author: "Ada", subject: "Change a", at: "2026-03-01T10:00:00Z" });
    answer({ "POST /graphql": { data: { repository: null } } });
    expect(await host.blame(at, { from: 4, to: 9 }, signal)).toEqual([]);
  });

  it("returns the deployments and releases of the span, the latest first, and which of them failed", async () => {
    const deployment = (id: number, created_at: string) => ({
      ...{ id, created_at, sha: commitId, ref: "main", environment: "production", creator: { login: "ada" } },
    });
    const release = (tag_name: string, published_at: string, draft = false) => ({
      ...{ tag_name, name: "", html_url: `https://github.com/acme/shop/releases/tag/${tag_name}`, draft },
      ...{ published_at, author: { login: "bob" } },
    });
    answer({
      [`GET ${base}/deployments`]: [deployment(1, "2026-03-01T11:58:00Z"), deployment(2, "2026-03-01T10:59:59Z")],
      [`GET ${base}/deployments/1/statuses`]: [{ state: "failure" }],
      [`GET ${base}/releases`]: [
        release("v1.4.3", "2026-03-01T11:59:00Z"),
        release("v2", "2026-03-01T11:59:00Z", true),
      ],
    });
    expect(await host.changes(repository, question, signal)).toEqual([
      {
        ...{ kind: "change-event", what: "release", vendor: "GitHub", title: "Release v1.4.3", target: repository },
        ...{
          at: "2026-03-01T11:59:00Z",
          by: "bob",
          failed: null,
          url: "https://github.com/acme/shop/releases/tag/v1.4.3",
        },
      },
      {
        ...{
          kind: "change-event",
          what: "deployment",
          vendor: "GitHub",
          title: "Deployment of main (3f2a91c) to production",
        },
        ...{ target: repository, at: "2026-03-01T11:58:00Z", by: "ada", failed: true },
        url: "https://github.com/acme/shop/deployments/production",
      },
    ]);
  });
});

const recordedSchema = z.array(z.object({ path: z.string(), status: z.int(), response: z.json() }));

/** What GitHub's API answered when @octokit/fixtures recorded it. */
function recorded(scenario: unknown, path: string): z.infer<typeof recordedSchema>[number] {
  const found = recordedSchema.parse(scenario).find((one) => one.path === path);
  if (!found) throw new Error(`nothing was recorded for ${path}`);
  return found;
}

describe("recorded responses of GitHub", () => {
  it("are parsed: a repository, its tags and branches, and a release", async () => {
    const organization = "octokit-fixture-org";
    const repositoryOf = recorded(getRepository, `/repos/${organization}/hello-world`);
    const { response: release } = recorded(releaseAssets, `/repos/${organization}/release-assets/releases/tags/v1.0.0`);
    const { response: refs } = recorded(gitRefs, `/repos/${organization}/git-refs/git/refs/`);
    vendor.answer(({ url }) => {
      if (url.pathname.endsWith("access_tokens")) return minted;
      if (url.pathname.endsWith("/releases")) return { body: [release] };
      if (url.pathname.endsWith("/deployments")) return { body: [] };
      if (url.pathname.includes("/matching-refs/")) return { body: refs };
      return { status: repositoryOf.status, body: repositoryOf.response };
    });
    expect(await host.repositoryNamed("hello-world", signal)).toBe(`${organization}/hello-world`);
    expect(await host.findCommit(`${organization}/git-refs`, { name: "1.0.0", commit: null }, signal)).toBeNull();
    const span = { ...question, from: "2017-10-10T00:00:00Z", to: "2017-10-11T00:00:00Z" };
    expect(await host.changes(`${organization}/release-assets`, span, signal)).toMatchObject([
      { what: "release", by: "octokit-fixture-user-a", url: expect.stringContaining("/releases/tag/v1.0.0") },
    ]);
  });
});
