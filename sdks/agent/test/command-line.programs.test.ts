import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { incidentSchema } from "@whence/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../../../test/servers/free-port.ts";
import { becomeOwner } from "../../../test/servers/owner-session.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../../../test/servers/server-process.ts";
import { type CommandRun, temporaryFolder, whence } from "./whence-command.ts";

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let owner: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let app: string;

beforeAll(async () => {
  data = await temporaryFolder();
  server = await startServerProcess(data.path, await freePort(), { WHENCE_REGISTER_PER_HOUR: "1000" });
  owner = await becomeOwner(server.url, server.output());
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await data?.remove();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  app = join(folder.path, "app");
  await mkdir(join(app, "src"), { recursive: true });
  await writeFile(join(app, "src/user.js"), code);
});
afterEach(() => folder.remove());

const code = `const users = new Map();

function findUser(id) {
  return users.get(id);
}

export function nameOf(id) {
  const user = findUser(id);
  return user.name.toUpperCase();
}
`;
const errorText = `TypeError: Cannot read properties of undefined (reading 'name')
    at nameOf (/srv/shop/src/user.js:9:15)
    at main (/srv/shop/src/gone.js:3:1)
`;

const run = (args: readonly string[], options: Partial<CommandRun> = {}) =>
  whence(args, { home: folder.path, cwd: app, ...options, env: { WHENCE_URL: server.url, ...options.env } });
const withKey = { env: { WHENCE_API_KEY: bootstrapKey } };
const credentialsPath = () => join(folder.path, ".whence/credentials.json");
const readCredentials = async () => JSON.parse(await readFile(credentialsPath(), "utf8")).services[server.url];

async function filesOf(id: string, key: string): Promise<number> {
  const answer = await fetch(`${server.url}/api/incidents/${id}`, { headers: { "x-api-key": key } });
  const { trigger } = incidentSchema.parse(await answer.json());
  return trigger.kind === "analyze" ? trigger.files : -1;
}

describe("whence rca on a machine that has never seen the service", () => {
  // requirement: auth.agent-credentials-file
  it("registers, analyzes its input with the files it names, and prints the report and the claim URL", async () => {
    const { code: exit, stdout, stderr } = await run(["rca", "-", "--auto", "--wait"], { input: errorText });
    expect(exit).toBe(0);
    expect(stdout).toContain("Root cause");
    expect(stdout).toContain("src/user.js");
    expect(stdout).toContain("return user.name.toUpperCase();");
    expect(stdout).not.toContain("\u001b");
    const entry = await readCredentials();
    expect(stderr).toContain(entry.claim_url);
    expect(entry.source).toBe("whence-cli");
    expect((await stat(credentialsPath())).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder.path, ".whence"))).mode & 0o777).toBe(0o700);
  });

  it("is claimed when a person opens the claim URL, and the status says so", async () => {
    await run(["register", "--source", "test"]);
    const { claim_token } = await readCredentials();
    const claimed = await fetch(`${server.url}/api/agents/claim`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: owner },
      body: JSON.stringify({ claim_token }),
    });
    expect(claimed.status).toBe(200);
    const status = JSON.parse((await run(["status", "--json"])).stdout);
    expect(status).toMatchObject({ status: "claimed", source: "test", claim_url: null, expires_in_seconds: null });
    const claim = await run(["claim"]);
    expect(claim).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("claimed by org_") });
  });
});

describe("whence feedback", () => {
  const analysed = async (): Promise<string> =>
    JSON.parse((await run(["rca", "--json", "--wait"], { ...withKey, input: errorText })).stdout).id;

  it("keeps new and earlier feedback on a report", async () => {
    const id = await analysed();
    const first = await run(["feedback", id, "right"], withKey);
    expect(first).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining(`report of ${id} is right\n`) });
    const args = ["--reason", "it was the cache", "--file", "src/cache.js", "--category", "concurrency", "--json"];
    const { stdout } = await run(["feedback", id, "wrong", ...args], withKey);
    expect(JSON.parse(stdout).feedback).toMatchObject([
      {
        author: { kind: "key" },
        verdict: "wrong",
        reason: "it was the cache",
        actual_cause: { file: "src/cache.js", category: "concurrency" },
        earlier: [{ verdict: "right" }],
      },
    ]);
  });

  it("says whether it counts: not from the key that asked for the analysis", async () => {
    const id = await analysed();
    const notCounted = "It doesn't change the confidence of later reports";
    expect((await run(["feedback", id, "right"], withKey)).stderr).toContain(notCounted);
    const made = await fetch(`${server.url}/api/keys`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: owner },
      body: JSON.stringify({ name: "another", scope: "full" }),
    });
    const { api_key } = z.object({ api_key: z.string() }).parse(await made.json());
    const other = await run(["feedback", id, "wrong"], { env: { WHENCE_API_KEY: api_key } });
    expect(other).toMatchObject({ code: 0, stderr: `saved: the report of ${id} is wrong\n` });
  });

  it("rejects an invalid verdict or category before sending anything, and prints the service's reason for a refusal", async () => {
    for (const args of [["inc_1"], ["inc_1", "maybe"], ["inc_1", "wrong", "--category", "gremlins"]]) {
      expect((await run(["feedback", ...args], withKey)).code).toBe(2);
    }
    const unknown = await run(["feedback", "inc_1", "right"], withKey);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("WHENCE_ERR_INCIDENT_UNKNOWN") });
  });
});

describe("whence rca", () => {
  it("prints only the address and doesn't wait, unless told to", async () => {
    const { code: exit, stdout, stderr } = await run(["rca", "-"], { ...withKey, input: errorText });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^${server.url}/incidents/inc_[0-9a-z]+\n$`));
  });

  it("prints the started analysis as JSON, and with --wait the whole incident", async () => {
    await writeFile(join(app, "error.log"), errorText);
    const started = JSON.parse((await run(["rca", "error.log", "--json"], withKey)).stdout);
    expect(started).toMatchObject({ status: "queued", incident_id: expect.stringMatching(/^inc_/) });
    const ended = incidentSchema.parse(
      JSON.parse((await run(["rca", "error.log", "--json", "--wait"], withKey)).stdout),
    );
    expect(ended.status).toBe("completed");
  });

  it("prints Markdown", async () => {
    const { code: exit, stdout } = await run(["rca", "--markdown", "--auto"], { ...withKey, input: errorText });
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^# .+\n\ncompleted · /);
    expect(stdout).toContain("## Root cause");
    expect(stdout).toContain("## Evidence");
  });

  it("sends the files named on the command line and in the text, each once", async () => {
    await writeFile(join(app, "other.js"), "export {};\n");
    const args = ["rca", "--json", "--file", "other.js", "--file", "src/user.js", "--auto"];
    const { incident_id } = JSON.parse((await run(args, { ...withKey, input: errorText })).stdout);
    expect(await filesOf(incident_id, bootstrapKey)).toBe(2);
  });

  it("accepts 20 files, and rejects 21 before sending anything", async () => {
    await writeFile(join(app, "a.js"), "1;\n");
    const files = (count: number) => Array.from({ length: count }, () => ["--file", "a.js"]).flat();
    const taken = await run(["rca", "--json", ...files(20)], { ...withKey, input: errorText });
    expect(await filesOf(JSON.parse(taken.stdout).incident_id, bootstrapKey)).toBe(20);
    const refused = await run(["rca", ...files(21)], { ...withKey, input: errorText });
    expect(refused).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("21 files were named, but at most 20"),
    });
  });

  it("accepts a text of 1 MiB, and rejects one byte more, from a pipe and from a file", async () => {
    const largest = "x".repeat(1_048_576);
    expect((await run(["rca"], { ...withKey, input: largest })).code).toBe(0);
    await writeFile(join(app, "large.log"), `${largest}x`);
    for (const args of [
      ["rca", "-"],
      ["rca", "large.log"],
    ]) {
      const refused = await run(args, { ...withKey, input: `${largest}x` });
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("larger than 1048576 bytes") });
    }
  });

  it("exits with 1 and the reason when the service can't be reached, isn't Whence, or rejects the key", async () => {
    const silent = `http://127.0.0.1:${await freePort()}`;
    const unreachable = { input: "E", env: { WHENCE_URL: silent, WHENCE_API_KEY: bootstrapKey } };
    expect(await run(["rca"], unreachable)).toMatchObject({ code: 1, stderr: expect.stringContaining("ECONNREFUSED") });
    const other = { input: "E", env: { WHENCE_URL: `${server.url}/elsewhere`, WHENCE_API_KEY: bootstrapKey } };
    expect(await run(["rca"], other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("WHENCE_ERR_ROUTE_UNKNOWN"),
    });
    const wrong = await run(["rca"], { input: "E", env: { WHENCE_API_KEY: "whk_wrong" } });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("WHENCE_ERR_KEY_UNKNOWN") });
    const bad = await run(["rca"], { input: "E", env: { WHENCE_URL: "ftp://user:secret@x" } });
    expect(bad).toMatchObject({ code: 1, stderr: expect.stringContaining("WHENCE_ERR_ADDRESS_INVALID") });
    expect(bad.stderr).not.toContain("secret");
  });

  it("prints nothing that a terminal acts on, whatever the error text contains", async () => {
    const hostile = "Error: \u001b]0;owned\u0007\u001b[2J\u009b31m\u202e boom\n    at f (/a/b.js:1:1)\n";
    for (const args of [["--wait"], ["--markdown"], ["--wait", "--json"]]) {
      const { stdout, stderr } = await run(["rca", ...args], { ...withKey, input: hostile });
      expect(stdout).toContain("boom");
      expect((stdout + stderr).replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });
});

describe("whence rca --auto", () => {
  it("sends what the files in the stack import, and lists what it sends and leaves out", async () => {
    await writeFile(join(app, "src/user.js"), `import "./names.js";\nimport "./large.js";\n${code}`);
    await writeFile(join(app, "src/names.js"), "export {};\n");
    await writeFile(join(app, "src/large.js"), "x".repeat(1_048_577));
    const { stdout, stderr } = await run(["rca", "--auto", "--json"], { ...withKey, input: errorText });
    expect(await filesOf(JSON.parse(stdout).incident_id, bootstrapKey)).toBe(2);
    expect(stderr).toBe("Attached 2 files: src/user.js, src/names.js. Left out 1 file: src/large.js (too large).\n");
  });

  it("sends nothing from outside of the working directory, however the text refers to it", async () => {
    await writeFile(join(folder.path, "secret.js"), "the secret");
    await symlink(join(folder.path, "secret.js"), join(app, "linked.js"));
    await symlink(folder.path, join(app, "up"));
    const names = ["../secret.js", join(folder.path, "secret.js"), "linked.js", "up/secret.js", "src/../../secret.js"];
    const input = names.map((name) => `    at f (${name}:1:1)`).join("\n");
    const { incident_id } = JSON.parse((await run(["rca", "--auto", "--json"], { ...withKey, input })).stdout);
    expect(await filesOf(incident_id, bootstrapKey)).toBe(0);
  });
});

describe("whence register", () => {
  it("keeps an existing agent", async () => {
    const first = await run(["register", "--source", "one"]);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("unclaimed") });
    const { agent_id } = await readCredentials();
    await run(["register", "--source", "two"]);
    expect(await readCredentials()).toMatchObject({ agent_id, source: "one" });
  });

  it("accepts a source of 50 characters", async () => {
    expect((await run(["register", "--source", "x".repeat(50)])).code).toBe(0);
  });

  it("registers again with a service that doesn't know the key, and keeps the history", async () => {
    await run(["register"]);
    const stored = JSON.parse(await readFile(credentialsPath(), "utf8"));
    stored.services[server.url].api_key = "wha_of_another_database";
    await writeFile(credentialsPath(), JSON.stringify(stored));
    const { agent_id } = stored.services[server.url];
    expect((await run(["register"])).code).toBe(0);
    expect(await readCredentials()).toMatchObject({ history: [{ agent_id, reason: "unknown" }] });
  });

  it("does nothing when given a key", async () => {
    expect(await run(["register"], withKey)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("WHENCE_API_KEY"),
    });
  });
});

describe("whence status and whence claim", () => {
  it("register no agent", async () => {
    for (const command of ["status", "claim"]) {
      const asked = await run([command]);
      expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining("WHENCE_ERR_NOT_REGISTERED") });
    }
    await expect(stat(credentialsPath())).rejects.toThrow("ENOENT");
  });

  it("print who owns the agent, how long it has left, and where to claim it", async () => {
    await run(["register"]);
    const { claim_url } = await readCredentials();
    const { stdout } = await run(["status"]);
    expect(stdout).toContain("unclaimed");
    expect(stdout).toMatch(/in (3 d|2 d 23 h)/);
    expect((await run(["claim"])).stdout).toBe(`${claim_url}\n`);
  });

  it("report that an organization's key isn't an agent's", async () => {
    expect(await run(["status"], withKey)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("WHENCE_ERR_NOT_AN_AGENT"),
    });
  });
});

describe("an agent whose key was revoked by an owner", () => {
  // requirement: auth.agent-registers-again
  it("registers again on its next call, once, keeps the history, and the call succeeds", async () => {
    await run(["register"]);
    const before = await readCredentials();
    await fetch(`${server.url}/api/agents/claim`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: owner },
      body: JSON.stringify({ claim_token: before.claim_token }),
    });
    const listed = await fetch(`${server.url}/api/keys`, { headers: { cookie: owner } });
    const { keys }: { keys: { key_id: string; prefix: string; revoked_at: string | null }[] } = JSON.parse(
      await listed.text(),
    );
    for (const { key_id, prefix, revoked_at } of keys) {
      if (!prefix.startsWith("wha_") || revoked_at !== null) continue;
      await fetch(`${server.url}/api/keys/${key_id}`, { method: "DELETE", headers: { cookie: owner } });
    }
    const { code: exit, stderr } = await run(["rca"], { input: errorText });
    expect(exit).toBe(0);
    const after = await readCredentials();
    expect(stderr).toContain(`registered as ${after.agent_id}`);
    expect(after.agent_id).not.toBe(before.agent_id);
    expect(after.history).toEqual([
      {
        agent_id: before.agent_id,
        source: "whence-cli",
        registered_at: before.registered_at,
        ended_at: expect.any(String),
        reason: "revoked",
      },
    ]);
  });
});

describe("processes that start at the same time", () => {
  it("end up with one agent", async () => {
    const runs = await Promise.all(Array.from({ length: 6 }, () => run(["rca"], { input: errorText })));
    expect(runs.map(({ code: exit }) => exit)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(runs.filter(({ stderr }) => stderr.includes("registered as"))).toHaveLength(1);
    const { api_key } = await readCredentials();
    const list = await fetch(`${server.url}/api/incidents`, { headers: { "x-api-key": api_key } });
    const { incidents } = JSON.parse(await list.text());
    expect(incidents).toHaveLength(6);
  });
});

describe("whence verify", () => {
  it("finds every quote of a report in its sources offline, and whatever changed since", async () => {
    await writeFile(join(app, "error.log"), errorText);
    const { stdout } = await run(["rca", "error.log", "--auto", "--wait", "--json"], withKey);
    await writeFile(join(app, "report.json"), stdout);
    const offline = { env: { WHENCE_URL: "http://127.0.0.1:1" } };
    const held = await run(["verify", "report.json", "error.log", "src", "--strict"], offline);
    expect(held).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("The report matches its sources."),
    });
    expect((await run(["verify", "report.json"], offline)).code).toBe(0);
    expect((await run(["verify", "report.json", "--strict"], offline)).code).toBe(1);

    await writeFile(join(app, "src/user.js"), code.replace("user.name", "user.title"));
    const changed = await run(["verify", "report.json", "error.log", "src"], offline);
    expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining("the given source differs") });

    const forged = stdout.replaceAll("return user.name.", "return user.nick.");
    await writeFile(join(app, "src/user.js"), code);
    await writeFile(join(app, "forged.json"), forged);
    const found = await run(["verify", "forged.json", "error.log", "src"], offline);
    expect(found).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("its excerpt is not what src/user.js has there"),
    });
  });

  it("exits with 2 when the file isn't a report", async () => {
    await writeFile(join(app, "no.json"), '{"a":1}');
    await writeFile(join(app, "no.txt"), "nothing");
    expect(await run(["verify", "no.json"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("neither a report"),
    });
    expect(await run(["verify", "no.txt"])).toMatchObject({ code: 2, stderr: expect.stringContaining("isn't JSON") });
    expect(await run(["verify", "gone.json"])).toMatchObject({ code: 2, stderr: expect.stringContaining("ENOENT") });
    expect((await run(["verify"])).code).toBe(2);
  });
});
