import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { PullRequests } from "../../src/code-hosts/pull-requests.ts";
import { gitHubPullRequests } from "../../src/github/pull-requests.ts";
import { startVendorServer } from "../http/vendor-server.ts";
import { type EmulatedGitHub, startEmulatedGitHub, writePermissions } from "./emulated-github.ts";

const { signal } = new AbortController();
const branch = "whence/incident-1";
const draft = { branch, base: "main", title: "Await the call", body: "It was forgotten." };
const modesSchema = z.object({ tree: z.array(z.object({ path: z.string(), mode: z.string() })) });
const textSchema = z.object({ content: z.string() }).transform(({ content }) => Buffer.from(content, "base64"));

let github: EmulatedGitHub;
let requests: PullRequests;

beforeAll(async () => {
  github = await startEmulatedGitHub(writePermissions);
  await github.write("src/stock.ts", "one\r\ntwo\r\n");
  await github.write("run.sh", "exit 1\n");
  requests = gitHubPullRequests(github.app, { installationId: 7, repository: github.repository }, github.context);
});
afterAll(async () => {
  await requests?.close();
  await github?.close();
});

describe("the pull requests of a repository at GitHub, as emulated by emulate", () => {
  it("are drafts from a new branch with one commit, which changes only the given files", async () => {
    const { name, commitId } = await requests.defaultBranch(signal);
    expect(name).toBe("main");
    expect([await requests.branch(branch, signal), await requests.find(branch, signal)]).toEqual([null, null]);
    const files = [{ path: "src/stock.ts", text: "one\r\n2\r\n" }];
    await requests.commit({ branch, parent: commitId, message: "fix: await the call", files }, signal);
    const opened = await requests.open(draft, signal);
    expect(await requests.find(branch, signal)).toEqual(opened);
    expect(await github.ada("GET", `/pulls/${opened.number}`)).toMatchObject({
      ...{ draft: true, title: draft.title, body: draft.body, html_url: opened.url },
      ...{ head: { ref: branch }, base: { ref: "main" } },
    });
    const read = async (path: string) =>
      textSchema.parse(await github.ada("GET", `/contents/${path}?ref=${branch}`)).toString("utf8");
    expect([await read("src/stock.ts"), await read("run.sh")]).toEqual(["one\r\n2\r\n", "exit 1\n"]);
    const head = await requests.branch(branch, signal);
    expect(await github.ada("GET", `/git/commits/${head?.commitId}`)).toMatchObject({
      ...{ message: "fix: await the call", parents: [{ sha: commitId }] },
    });
    expect((await requests.defaultBranch(signal)).commitId).toBe(commitId);
  });

  it("keep an executable file executable, and change no link", async () => {
    const { commitId } = await requests.defaultBranch(signal);
    const modes = [
      { path: "run.sh", mode: "100755", type: "blob", content: "exit 1\n" },
      { path: "link.ts", mode: "120000", type: "blob", content: "src/stock.ts" },
    ];
    const sha = z.object({ sha: z.string() });
    const made = async (what: string, json: object) => sha.parse(await github.ada("POST", `/git/${what}`, json)).sha;
    const tree = await made("trees", { base_tree: await treeOf(commitId), tree: modes });
    const parent = await made("commits", { message: "modes", tree, parents: [commitId] });
    const files = [{ path: "run.sh", text: "exit 0\n" }];
    await requests.commit({ branch: "whence/mode", parent, message: "m", files }, signal);
    const changed = modesSchema.parse(await github.ada("GET", "/git/trees/whence%2Fmode?recursive=1"));
    expect(changed.tree.find(({ path }) => path === "run.sh")?.mode).toBe("100755");
    const link = [{ path: "link.ts", text: "x" }];
    await expect(requests.commit({ branch: "whence/link", parent, message: "m", files: link }, signal)).rejects.toThrow(
      "link.ts isn't a plain file at GitHub",
    );
    expect(await requests.branch("whence/link", signal)).toBeNull();
  });

  it("overwrite no branch", async () => {
    const { commitId: parent } = await requests.defaultBranch(signal);
    const files = [{ path: "run.sh", text: "exit 2\n" }];
    await expect(requests.commit({ branch: "main", parent, message: "m", files }, signal)).rejects.toMatchObject({
      ...{ reason: "forbidden", message: "GitHub refused (422): Reference already exists" },
    });
  });

  it("can't be opened by an installation that may only read, which says what it needs", async () => {
    const reading = await startEmulatedGitHub();
    const at = { installationId: 7, repository: reading.repository };
    const host = gitHubPullRequests(reading.app, at, reading.context);
    await expect(host.find(branch, signal)).rejects.toMatchObject({
      reason: "forbidden",
      message: expect.stringMatching(/may not write to ada\/shop: give the GitHub App .* Contents and Pull requests/),
    });
    await Promise.all([host.close(), reading.close()]);
  });
});

describe("a pull request that GitHub refuses", () => {
  it.each([
    [422, "Draft pull requests are not supported in this repository.", /^GitHub refused \(422\): Draft pull requests/],
    [403, "Resource not accessible by integration", /^GitHub doesn't let the app write to this repository \(403\): /],
    [404, "Not Found", /^GitHub doesn't let the app write to this repository \(404\): /],
  ])("with %i says why", async (status, message, said) => {
    const vendor = await startVendorServer();
    const at = { installationId: 7, repository: "acme/shop" };
    const host = gitHubPullRequests(github.app, at, vendor.context);
    vendor.answer(({ url }) =>
      url.pathname.endsWith("/access_tokens")
        ? { status: 201, body: { token: "ghs_1", expires_at: "2099-01-01T00:00:00Z", permissions: {} } }
        : { status, body: { message, documentation_url: "https://docs.github.com/rest" } },
    );
    await expect(host.open(draft, signal)).rejects.toThrow(said);
    expect(vendor.requests.filter(({ url }) => url.pathname.endsWith("/pulls"))).toHaveLength(1);
    const asked = JSON.parse(vendor.requests[0]?.body ?? "{}");
    expect(asked).toEqual({
      ...{ permissions: { contents: "write", metadata: "read", pull_requests: "write" }, repositories: ["shop"] },
    });
    await Promise.all([host.close(), vendor.close()]);
  });
});

async function treeOf(commit: string): Promise<string> {
  const schema = z.object({ tree: z.object({ sha: z.string() }) });
  return schema.parse(await github.ada("GET", `/git/commits/${commit}`)).tree.sha;
}
