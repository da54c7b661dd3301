import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { incidentPageSchema, incidentSchema } from "@whence/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../../../test/servers/server-process.ts";
import { type CommandRun, temporaryFolder, whence } from "./whence-command.ts";

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The incident that telemetry opened. */
let opened: string;

const errorOf = (name: string): string =>
  `TypeError: Cannot read properties of undefined (reading '${name}')\n    at priceOf (/srv/shop/src/price.js:9:15)`;

beforeAll(async () => {
  data = await temporaryFolder();
  server = await startServerProcess(data.path, await freePort());
  await send("orders", errorOf("amount"));
  opened = (await incidentsOf("orders"))[0]?.id ?? "";
  for (const name of ["a", "b", "c"]) await whence(["rca", "-", "--wait"], { ...withKey(), input: errorOf(name) });
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await data?.remove();
});
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const withKey = (): CommandRun => ({
  home: data.path,
  env: { WHENCE_URL: server.url, WHENCE_API_KEY: bootstrapKey },
});
const run = (...args: string[]) => whence(args, { ...withKey(), home: folder.path });

/** Sends an unhandled exception as a client does, and waits for its report. */
async function send(service: string, stack: string): Promise<void> {
  const [, message = ""] = /: (.*)\n/.exec(stack) ?? [];
  const timestamp = new Date().toISOString();
  const batch = {
    sdk: { name: "test", version: "1.0.0" },
    ...{ service, env: "PROD", instance: randomUUID(), sent_at: timestamp },
    host: { name: "h", pid: 1, runtime: { name: "node", version: "26.0.0" }, os: "linux", arch: "x64" },
    events: [
      {
        ...{ id: randomUUID(), seq: 1, type: "exception", timestamp, level: "critical", message },
        mechanism: { type: "uncaughtException", handled: false },
        exceptions: [{ type: "TypeError", message, stack }],
      },
    ],
  };
  const answer = await fetch(`${server.url}/api/telemetry/events`, {
    method: "POST",
    headers: { "x-api-key": bootstrapKey, "content-type": "application/json" },
    body: JSON.stringify(batch),
  });
  expect(await answer.json()).toEqual({ accepted: 1, rejected: [] });
  while ((await incidentsOf(service))[0]?.status !== "completed") await setTimeout(100);
}

async function incidentsOf(service: string) {
  const answer = await fetch(`${server.url}/api/incidents?service=${service}`, {
    headers: { "x-api-key": bootstrapKey },
  });
  return incidentPageSchema.parse(await answer.json()).incidents;
}

describe("whence incidents", () => {
  it("lists an incident that telemetry opened, with its cause and confidence", async () => {
    const { stdout, stderr, code } = await run("incidents", "--service", "orders");
    expect([code, stderr]).toEqual([0, ""]);
    const [heading, title, cause] = stdout.split("\n");
    expect(heading).toMatch(new RegExp(`^${opened}  \\d{4}-\\S+Z  completed  \\w+  orders in PROD$`));
    expect(title).toMatch(/^ {2}TypeError: Cannot read/);
    expect(cause).toMatch(/^ {2}\d{1,3}% {2}\S/);
  });

  it("prints what the API answers as JSON", async () => {
    const { stdout } = await run("incidents", "--service", "orders", "--json");
    expect(incidentPageSchema.parse(JSON.parse(stdout)).incidents).toEqual(await incidentsOf("orders"));
  });

  it("goes back page by page", async () => {
    const first = await run("incidents", "--limit", "2");
    const before = /--before (\S+)\n/.exec(first.stderr)?.[1] ?? "";
    const second = await run("incidents", "--limit", "2", "--before", before);
    const ids = [...`${first.stdout}${second.stdout}`.matchAll(/^inc_\w+/gm)].map(([id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
  });

  it.each([
    [["--trigger", "event"], 1],
    [["--trigger", "analyze"], 3],
    [["--since", "1h"], 4],
    [["--since", "1d", "--until", "1h"], 0],
    [["--until", "2999-01-01T00:00:00+02:00"], 4],
    [["--search", "priceOf", "--status", "failed"], 0],
  ])("filters by %j as the API does", async (args, count) => {
    const { stdout } = await run("incidents", "--json", ...args);
    expect(incidentPageSchema.parse(JSON.parse(stdout)).incidents).toHaveLength(count);
  });

  it("filters by the failure", async () => {
    const [incident] = await incidentsOf("orders");
    const { stdout } = await run("incidents", "--fingerprint", incident?.fingerprint ?? "");
    expect([...stdout.matchAll(/^inc_\w+/gm)].map(([id]) => id)).toEqual([opened]);
  });

  it("says that no incident matches", async () => {
    const { stdout } = await run("incidents", "--service", "billing");
    expect(stdout).toBe("No incidents match these filters.\n");
  });

  it("says what opens incidents when there are none", async () => {
    const register = ["register", "--source", "test"];
    const asAgent = { home: folder.path, env: { WHENCE_URL: server.url } };
    await whence(register, asAgent);
    const { stdout } = await whence(["incidents"], asAgent);
    expect(stdout).toBe("No incidents yet. Failures in telemetry, alerts, and whence rca open them.\n");
  });

  it.each([
    [["--status", "open"], '--status takes queued, investigating, completed, failed, merged, but got "open"'],
    [["--severity", "bad"], '--severity takes low, medium, high, critical, but got "bad"'],
    [["--trigger", "chat"], '--trigger takes analyze, event, alert, conversation, process-exit, but got "chat"'],
    [["--since", "6 h"], '--since takes a time such as 6h, 7d, or 2026-03-01T10:00:00Z, but got "6 h"'],
    [["--until", "2026-13-01"], '--until takes a time such as 6h, 7d, or 2026-03-01T10:00:00Z, but got "2026-13-01"'],
    [["--limit", "0"], '--limit takes a number from 1 to 100, but got "0"'],
    [["--limit", "101"], '--limit takes a number from 1 to 100, but got "101"'],
  ])("refuses %j", async (args, message) => {
    const { stderr, code } = await run("incidents", ...args);
    expect([code, stderr]).toEqual([2, `whence: ${message}\n`]);
  });

  it("registers no agent to read", async () => {
    const { stderr, code } = await whence(["incidents"], { home: folder.path, env: { WHENCE_URL: server.url } });
    expect(code).toBe(1);
    expect(stderr).toContain("whence register");
  });
});

describe("whence show", () => {
  it("prints the report of an incident that telemetry opened", async () => {
    const { stdout, stderr, code } = await run("show", opened);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Root cause");
    expect(stdout).toContain("src/price.js");
  });

  it("prints it as JSON and as Markdown", async () => {
    const { stdout } = await run("show", opened, "--wait", "--json");
    expect(incidentSchema.parse(JSON.parse(stdout)).id).toBe(opened);
    expect((await run("show", opened, "--markdown")).stdout).toContain("## Root cause");
  });

  it("says that it doesn't know an incident", async () => {
    const { stderr, code } = await run("show", "inc_unknown");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^whence: .*inc_unknown|^whence: .*incident/);
  });

  it.each([[[]], [["a", "b"]]])("refuses %j", async (ids) => {
    const { stderr, code } = await run("show", ...ids);
    expect([code, stderr]).toEqual([2, "whence: whence show takes an incident's id\n"]);
  });
});

describe("whence mute, resolve, ignore, and reopen", () => {
  it("change incidents, and say what they are then", async () => {
    const said = async (...args: string[]) => (await run(...args)).stderr;
    expect(await said("mute", opened, "--events", "100")).toBe(`${opened} is muted until 100 more events\n`);
    expect((await run("incidents", "--state", "muted")).stdout).toMatch(/completed {2}muted {2}/);
    expect(await said("mute", opened, "--rise")).toBe(`${opened} is muted until it rises\n`);
    expect(await said("mute", opened, "--for", "1m")).toMatch(/ is muted until 20\d\d-\d\d-\d\dT.*Z\n$/);
    expect(await said("ignore", opened)).toBe(`${opened} is ignored\n`);
    expect(await said("resolve", opened)).toBe(`${opened} is resolved\n`);
    expect(await said("reopen", opened)).toBe(`${opened} is open\n`);
  });

  it("change several at once, and print them as JSON", async () => {
    const [first, second] = incidentPageSchema.parse(
      JSON.parse((await run("incidents", "--trigger", "analyze", "--json")).stdout),
    ).incidents;
    const { stdout, code } = await run("resolve", first?.id ?? "", second?.id ?? "", "--json");
    expect(code).toBe(0);
    expect(stdout.match(/"state": ?"resolved"/g)).toHaveLength(2);
  });

  it("refuse what makes no sense, with the service's reason", async () => {
    await run("resolve", opened);
    const muted = await run("mute", opened, "--rise");
    expect([muted.code, muted.stderr]).toEqual([1, expect.stringContaining("[WHENCE_ERR_INCIDENT_RESOLVED]")]);
    await run("reopen", opened);
    const next = await run("resolve", opened, "--next-release");
    expect([next.code, next.stderr]).toEqual([1, expect.stringContaining("[WHENCE_ERR_INCIDENT_WITHOUT_RELEASE]")]);
  });

  it.each([
    [["mute", "inc_1"], "whence mute takes one of --for, --events, --rise"],
    [["mute", "inc_1", "--rise", "--for", "2h"], "whence mute takes one of --for, --events, --rise"],
    [["mute", "inc_1", "--for", "0m"], '--for takes a time such as 30m, 2h, or 7d, but got "0m"'],
    [["mute", "inc_1", "--events", "0"], '--events takes a number from 1 to 1000000000, but got "0"'],
    [["mute", "inc_1", "--events", "1000000001"], '--events takes a number from 1 to 1000000000, but got "1000000001"'],
    [["resolve"], "whence resolve takes an incident's id, or several"],
  ])("refuse %j", async (args, said) => {
    const { stderr, code } = await run(...args);
    expect([code, stderr]).toEqual([2, `whence: ${said}\n`]);
  });
});

describe("whence take and comment", () => {
  it("give an incident an owner, who is in the list, and let go of it", async () => {
    const token = new URL(/set-up\s+(\S+)/.exec(server.output())?.[1] ?? "").searchParams.get("token");
    const ada = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
    const body = JSON.stringify({ token, ...ada });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${server.url}/api/setup`, { method: "POST", headers, body })).ok).toBe(true);
    expect((await run("take", opened, "--for", "ada@example.com")).stderr).toBe(`${opened} is owned by Ada\n`);
    const { stdout } = await run("incidents", "--owner", "ada@example.com");
    expect(stdout.match(/inc_/g)).toHaveLength(1);
    expect(stdout).toContain("owner: Ada");
    expect((await run("comment", opened, "ask", "@Ada")).stderr).toBe(`commented on ${opened}, mentioning Ada\n`);
    expect((await run("take", opened, "--let-go")).stderr).toBe(`${opened} has no owner\n`);
  });

  it("refuse what makes no sense, with the service's reason", async () => {
    const taken = await run("take", opened);
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining("[WHENCE_ERR_KEY_OWNS_NO_INCIDENT]")]);
    const given = await run("take", opened, "--for", "eve@example.com");
    expect([given.code, given.stderr]).toEqual([1, expect.stringContaining("[WHENCE_ERR_MEMBER_UNKNOWN]")]);
  });

  it.each([
    [["take"], "whence take takes an incident's id, or several"],
    [["take", "inc_1", "--let-go", "--for", "a@b.c"], "whence take takes --for or --let-go, not both"],
    [["comment", "inc_1", " "], "whence comment takes an incident's id and a text"],
    [["comment", "inc_1", "x".repeat(4001)], "a comment has at most 4000 characters, and this one 4001"],
  ])("refuse %j", async (args, said) => {
    const { stderr, code } = await run(...args);
    expect([code, stderr]).toEqual([2, `whence: ${said}\n`]);
  });
});
