import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PullRequests } from "../../src/code-hosts/pull-requests.ts";
import { gitLabMergeRequests } from "../../src/gitlab/merge-requests.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { GitLabProjectDouble } from "./gitlab-project-double.ts";

const { signal } = new AbortController();
const branch = "whence/incident-1";
const draft = { branch, base: "main", title: "Await the call", body: "It was forgotten.\n\n/close" };
let vendor: VendorServer;
let gitlab: GitLabProjectDouble;
let requests: PullRequests;
let main: string;

beforeAll(async () => {
  vendor = await startVendorServer();
});
afterAll(() => vendor.close());
beforeEach(() => {
  gitlab = new GitLabProjectDouble(vendor.url, "acme/backend/shop");
  main = gitlab.write("main", { "src/stock.ts": "one\r\ntwo\r\n", "run.sh": "exit 1\n" });
  vendor.answer(gitlab.answer);
  requests = gitLabMergeRequests({ url: vendor.url, accessToken: "glo-very-secret" }, gitlab.path, vendor.context);
  return () => requests.close();
});

const change = { branch, message: "fix: await the call", files: [{ path: "src/stock.ts", text: "one\r\n2\r\n" }] };

describe("the merge requests of a project at GitLab", () => {
  it("are drafts from a new branch with one commit, which changes only the given files", async () => {
    expect(await requests.defaultBranch(signal)).toEqual({ name: "main", commitId: main });
    expect([await requests.branch(branch, signal), await requests.find(branch, signal)]).toEqual([null, null]);
    await requests.commit({ ...change, parent: main }, signal);
    const { parent, message, files } = gitlab.head(branch) ?? {};
    expect([parent, message]).toEqual([main, "fix: await the call"]);
    expect(String(files?.["src/stock.ts"])).toBe("one\r\n2\r\n");
    expect([files?.["run.sh"], gitlab.branches.get("main")]).toEqual(["exit 1\n", main]);
    const url = `${vendor.url}/acme/backend/shop/-/merge_requests/1`;
    expect(await requests.open(draft, signal)).toEqual({ number: 1, url });
    expect(await requests.find(branch, signal)).toEqual({ number: 1, url });
    expect(gitlab.mergeRequests).toMatchObject([
      { title: "Draft: Await the call", target_branch: "main", remove_source_branch: true },
    ]);
  });

  it("execute no quick action of their text", async () => {
    await requests.commit({ ...change, parent: main }, signal);
    await requests.open(draft, signal);
    expect(gitlab.mergeRequests[0]?.description).toBe("It was forgotten.\n\n\\/close");
  });

  it("overwrite no branch, and say why GitLab refuses", async () => {
    await expect(requests.commit({ ...change, branch: "main", parent: main }, signal)).rejects.toMatchObject({
      reason: "forbidden",
      message: expect.stringContaining("GitLab refused: A branch called 'main' already exists."),
    });
    await requests.commit({ ...change, parent: main }, signal);
    await requests.open(draft, signal);
    await expect(requests.open(draft, signal)).rejects.toThrow("GitLab refused: Another open merge request");
  });

  it("need a token with the scope api, and say so to one that may only read", async () => {
    gitlab.scope = "read_api";
    await expect(requests.commit({ ...change, parent: main }, signal)).rejects.toMatchObject({
      reason: "forbidden",
      message: expect.stringMatching(/write to this project \(403\): set WHENCE_GITLAB_SCOPE to api/),
    });
  });
});
