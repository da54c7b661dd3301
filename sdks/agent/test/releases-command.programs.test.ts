import { execFileSync } from "node:child_process";
import { releaseListSchema, reportedReleaseSchema } from "@whence/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../../../test/servers/server-process.ts";
import { type CommandRun, temporaryFolder, whence } from "./whence-command.ts";

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  data = await temporaryFolder();
  server = await startServerProcess(data.path, await freePort());
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await data?.remove();
});
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const run = (args: readonly string[], options: Partial<CommandRun> = {}) =>
  whence(["releases", ...args], {
    home: folder.path,
    ...options,
    env: { WHENCE_URL: server.url, WHENCE_API_KEY: bootstrapKey, ...options.env },
  });

const sha = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";

async function listed() {
  const answer = await fetch(`${server.url}/api/releases`, { headers: { "x-api-key": bootstrapKey } });
  return releaseListSchema.parse(await answer.json()).releases;
}

describe("whence releases", () => {
  it("reports that a release went live, with its commit and its page", async () => {
    const url = "https://ci.example.com/pipelines/7";
    const args = ["new", "--service", "orders", "--release", "2.0.0", "--commit", sha.toUpperCase(), "--url", url];
    const { stdout, stderr, code } = await run(args);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^reported orders 2\.0\.0: live in PROD since \d{4}-\S+Z, commit 1a2b3c4, https:\/\/ci\.example\.com\/pipelines\/7\n$/,
    );
    expect(await listed()).toContainEqual(
      expect.objectContaining({ service: "orders", release: "2.0.0", env: "PROD", commit: sha, url }),
    );
    expect((await run(["list"])).stdout).toContain("orders 2.0.0: live in PROD since ");
    expect(JSON.parse((await run(["list", "--json"])).stdout)).toEqual(await listed());
  });

  it("sends the commit of the checkout in the working folder", async () => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { cwd: folder.path });
    git("init", "-q");
    git("commit", "-qm", "add totals", "--allow-empty");
    const id = git("rev-parse", "HEAD").toString().trim();
    const { stdout } = await run(["new", "--service", "committed", "--release", "1", "--json"]);
    expect(reportedReleaseSchema.parse(JSON.parse(stdout)).commit).toBe(id);
  });

  it("sends no commit outside of a checkout, and the environment it is given", async () => {
    const { stdout } = await run(["new", "--service", "plain", "--release", "1", "--env", "STAGING"]);
    expect(stdout).toMatch(/^reported plain 1: live in STAGING since \d{4}-\S+Z\n$/);
  });

  it.each([
    [[], "whence releases takes new, with --service and --release, or list"],
    [["list", "--service", "a"], "whence releases takes new, with --service and --release, or list"],
    [["new", "--service", "a"], "whence releases new needs --service and --release"],
    [
      ["new", "--service", "a", "--release", "1", "--commit", "main"],
      '--commit takes the id of a commit, but got "main"',
    ],
    [
      ["new", "--service", "a", "--release", "1", "--url", "ci"],
      '--url takes the URL of a page about the release, but got "ci"',
    ],
  ])("rejects wrong usage: %j", async (args, said) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it("needs a key of the organization, and registers no agent", async () => {
    const args = ["new", "--service", "a", "--release", "1"];
    const { code, stderr } = await run(args, { env: { WHENCE_API_KEY: "" } });
    expect([code, stderr]).toEqual([2, expect.stringContaining("set WHENCE_API_KEY to a key of your organization")]);
  });

  it("prints the service's reason for a refusal", async () => {
    const args = ["new", "--service", "a", "--release", "1"];
    const { code, stderr } = await run(args, { env: { WHENCE_API_KEY: "whk_unknown" } });
    expect([code, stderr]).toEqual([1, expect.stringContaining("WHENCE_ERR_KEY_UNKNOWN")]);
  });
});
