import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CodeHost } from "../../src/code-hosts/code-host.ts";
import { gitLabRepositories, openGitLab } from "../../src/gitlab/code-host.ts";
import { vendorLimits } from "../../src/http/vendor-limits.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

const commitId = "3f2a91c".padEnd(40, "0");
const repository = "acme/backend/shop";
const base = `/api/v4/projects/${repository}`;
const at = { repository, commit: { name: "v1.4.2", id: commitId }, path: "src/stock.ts" };
const { signal } = new AbortController();
let vendor: VendorServer;
let host: CodeHost;

beforeAll(async () => {
  vendor = await startVendorServer();
});
afterAll(() => vendor.close());
beforeEach(() => {
  host = openGitLab({ url: vendor.url, accessToken: "glo-very-secret" }, vendor.context);
  return () => host.close();
});

/** Answers these paths, and 404 otherwise. */
function answer(answers: Readonly<Record<string, unknown>>): void {
  vendor.answer(({ url }) => {
    const body = answers[decodeURIComponent(url.pathname)];
    return body === undefined ? { status: 404, body: { message: "404 Not found" } } : { body };
  });
}

describe("a project at GitLab", () => {
  it("is found by the service's name, unless several have it", async () => {
    const project = (path_with_namespace: string) => ({
      path: path_with_namespace.split("/").at(-1),
      path_with_namespace,
    });
    answer({ "/api/v4/projects": [project("acme/backend/Shop"), project("acme/shop-tools")] });
    expect(await host.repositoryNamed("shop", signal)).toBe("acme/backend/Shop");
    expect(vendor.requests.at(-1)?.url.searchParams.get("membership")).toBe("true");
    answer({ "/api/v4/projects": [project("acme/shop"), project("other/shop")] });
    expect(await host.repositoryNamed("shop", signal)).toBeNull();
    answer({ "/api/v4/projects": [] });
    expect(await host.repositoryNamed("shop", signal)).toBeNull();
  });

  it.each([
    ["shop@1.4.2+3f2a91c", "3f2a91c"],
    ["1.4.2", "v1.4.2"],
    ["shop@1.4.2", "v1.4.2"],
  ])("has the commit that the release %s names", async (release, name) => {
    answer({
      [`${base}/repository/commits/3f2a91c`]: { id: commitId },
      [`${base}/repository/tags/v1.4.2`]: { name: "v1.4.2", commit: { id: commitId } },
    });
    expect(await host.findCommit(repository, { name: release, commit: null }, signal)).toEqual({ name, id: commitId });
  });

  it("has no commit for an unknown release, or for a branch named like one", async () => {
    answer({ [`${base}/repository/commits/deadbeef`]: { id: commitId } });
    expect(await host.findCommit(repository, { name: "shop@9.9.9", commit: null }, signal)).toBeNull();
    expect(await host.findCommit(repository, { name: "deadbeef", commit: null }, signal)).toBeNull();
  });

  it("has the newest commit of its default branch at a time", async () => {
    answer({ [`${base}/repository/commits`]: [{ id: commitId }] });
    expect(await host.commitAt(repository, "2026-03-01T12:00:00.000Z", signal)).toEqual({
      ...{ name: "3f2a91c00000", id: commitId },
    });
    const { searchParams } = vendor.requests.at(-1)?.url ?? new URL("http://none");
    expect(Object.fromEntries(searchParams)).toEqual({ until: "2026-03-01T12:00:00.000Z", per_page: "1" });
    answer({ [`${base}/repository/commits`]: [] });
    expect(await host.commitAt(repository, "2026-03-01T12:00:00.000Z", signal)).toBeNull();
    expect(await host.commitAt("acme/none", "2026-03-01T12:00:00.000Z", signal)).toBeNull();
  });

  it.each([
    ["https://git.example.com/lab/acme/backend/shop/-/issues/17", repository],
    ["https://git.example.com/lab/acme/backend/shop/-/work_items/17#note_1", repository],
    ["https://git.example.com/lab/acme/backend/shop/-/merge_requests/17", null],
    ["https://git.example.com/acme/shop/-/issues/17", null],
    ["https://gitlab.com/acme/shop/-/issues/17", null],
  ])("is that of the issue at %s: %s", (page, found) => {
    const gitlab = { clientId: "id", clientSecret: "secret", url: "https://git.example.com/lab" };
    expect(gitLabRepositories.repositoryOfIssue(page, { applications: { gitlab } })).toBe(found);
  });

  it.each([
    [vendorLimits.treePagesMax - 1, vendorLimits.treePagesMax - 1],
    [vendorLimits.treePagesMax, vendorLimits.treePagesMax],
    [vendorLimits.treePagesMax + 1, vendorLimits.treePagesMax],
  ])("lists the files of %i pages up to the limit", async (pages, read) => {
    vendor.answer(({ url }) => {
      const page = Number(url.searchParams.get("page"));
      const next = page < pages ? String(page + 1) : "";
      return {
        headers: { "x-next-page": next },
        body: [
          { path: "src", type: "tree" },
          { path: `${page}.ts`, type: "blob" },
        ],
      };
    });
    expect(await host.paths(repository, commitId, signal)).toHaveLength(read);
  });

  it("reads a file at a commit", async () => {
    const content = Buffer.from("export {};\n").toString("base64");
    answer({ [`${base}/repository/files/src/stock.ts`]: { size: 11, encoding: "base64", content } });
    expect(await host.read(at, 11, signal)).toEqual({
      outcome: "read",
      text: "export {};\n",
      version: "GitLab, v1.4.2",
    });
    expect(await host.read(at, 10, signal)).toEqual({ outcome: "too-large" });
    expect(await host.read({ ...at, path: "gone.ts" }, 10, signal)).toEqual({ outcome: "absent" });
  });

  it("compares two commits", async () => {
    answer({
      [`${base}/repository/compare`]: {
        commits: [{ id: "1", title: "Fix it", author_name: "Ada", created_at: "2026-03-01T10:00:00Z" }],
        diffs: [
          { old_path: "a.ts", new_path: "b.ts", diff: "@@ -1 +1 @@" },
          { old_path: "logo.png", new_path: "logo.png", diff: "" },
        ],
      },
    });
    expect(await host.compare(repository, "v1", "v2", signal)).toEqual({
      commits: [{ id: "1", author: "Ada", subject: "Fix it", at: "2026-03-01T10:00:00Z" }],
      files: [
        { path: "b.ts", patch: "@@ -1 +1 @@" },
        { path: "logo.png", patch: null },
      ],
    });
  });

  it("says who wrote the requested lines", async () => {
    const commit = (id: string) => ({
      id,
      message: `Change ${id}\n\nAt length.`,
      author_name: "Ada",
      committed_date: "2026-03-01T10:00:00Z",
    });
    answer({
      [`${base}/repository/files/src/stock.ts/blame`]: [
        { commit: commit("a"), lines: ["one"] },
        { commit: commit("b"), lines: ["two", "three"] },
      ],
    });
    const blamed = await host.blame(at, { from: 7, to: 9 }, signal);
    expect(blamed).toMatchObject([
      { from: 7, to: 7, commit: { id: "a", subject: "Change a" } },
      { from: 8, to: 9, commit: { id: "b" } },
    ]);
    expect(vendor.requests.at(-1)?.url.searchParams.get("range[end]")).toBe("9");
  });

  it("returns the deployments and releases of the span, the latest first, and which of them failed", async () => {
    answer({
      [`${base}/deployments`]: [
        {
          ...{ ref: "main", sha: commitId, status: "failed", updated_at: "2026-03-01T11:58:00Z" },
          ...{ environment: { name: "production" }, user: { username: "ada" } },
        },
      ],
      [`${base}/releases`]: [
        { tag_name: "v1.4.3", name: "Spring", released_at: "2026-03-01T11:59:00Z", author: { username: "bob" } },
        { tag_name: "v1.4.2", name: null, released_at: "2026-03-01T10:59:00Z" },
      ],
    });
    expect(await host.changes(repository, question, signal)).toEqual([
      {
        ...{
          kind: "change-event",
          what: "release",
          vendor: "GitLab",
          title: "Release Spring",
          target: repository,
          failed: null,
        },
        ...{ at: "2026-03-01T11:59:00Z", by: "bob", url: `${vendor.url}/${repository}/-/releases/v1.4.3` },
      },
      {
        ...{
          kind: "change-event",
          what: "deployment",
          vendor: "GitLab",
          title: "Deployment of main (3f2a91c) to production",
        },
        ...{ target: repository, at: "2026-03-01T11:58:00Z", by: "ada", failed: true },
        url: `${vendor.url}/${repository}/-/environments`,
      },
    ]);
    const { searchParams } =
      vendor.requests.find(({ url }) => url.pathname.endsWith("/deployments"))?.url ?? new URL("x:");
    expect([searchParams.get("updated_after"), searchParams.get("updated_before")]).toEqual([
      question.from,
      question.to,
    ]);
  });

  it.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [429, "rate-limited"],
    [500, "unavailable"],
  ])("that responds with %i reports %s, without the token", async (status, reason) => {
    vendor.answer(() => ({ status, headers: status === 429 ? { "retry-after": "60" } : {}, body: "glo-very-secret" }));
    const failure = await host.account(signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason });
    expect(String(failure)).not.toContain("glo-very-secret");
  });
});
