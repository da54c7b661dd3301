import { monitorListSchema } from "@whence/protocol";
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
  whence(["monitors", ...args], {
    home: folder.path,
    ...options,
    env: { WHENCE_URL: server.url, WHENCE_API_KEY: bootstrapKey, ...options.env },
  });

async function listed() {
  const answer = await fetch(`${server.url}/api/monitors`, { headers: { "x-api-key": bootstrapKey } });
  return monitorListSchema.parse(await answer.json()).monitors;
}

describe("whence monitors", () => {
  it("adds an uptime check, pauses and resumes it by its name, and removes it by its id", async () => {
    expect((await run(["list"])).stdout).toBe("no monitors\n");
    const added = await run(["add", "--uptime", "https://shop.example/health", "--service", "storefront"]);
    expect([added.code, added.stderr]).toEqual([0, ""]);
    const [monitor] = await listed();
    expect(monitor).toMatchObject({
      ...{ name: "shop.example/health", service: "storefront", severity: "high", alert_after: 1 },
      check: { kind: "uptime", method: "GET", url: "https://shop.example/health", interval_minutes: 1 },
    });
    expect(added.stdout).toBe(`added ${monitor?.id} shop.example/health: waiting, GET https://shop.example/health\n`);
    expect((await run(["pause", "shop.example/health"])).stdout).toContain(": paused, GET ");
    expect((await listed())[0]?.state).toBe("paused");
    expect((await run(["list"])).stdout).toContain(": paused, GET ");
    expect((await run(["resume", monitor?.id ?? ""])).code).toBe(0);
    expect((await listed())[0]?.state).not.toBe("paused");
    expect((await run(["remove", monitor?.id ?? ""])).stdout).toBe(`removed ${monitor?.id} shop.example/health\n`);
    expect(await listed()).toEqual([]);
  });

  it("adds a threshold and check-ins, whose key it prints once", async () => {
    const args = ["add", "--metric", "memory", "--above", "900", "--service", "orders", "--alert-after", "3"];
    expect((await run(args)).stdout).toContain("memory of orders: waiting, memory of orders above 900");
    const nightly = await run(["add", "--check-in", "nightly", "--cron", "0 3 * * *", "--name", "Backup"]);
    const [, key] = /\/api\/check-ins\/nightly\?key=(whm_\w+) \(the key is shown only now\)/.exec(nightly.stdout) ?? [];
    const reported = await fetch(`${server.url}/api/check-ins/nightly?key=${key}`, { method: "POST" });
    expect(reported.status).toBe(200);
    await run(["add", "--check-in", "hourly", "--every", "1h", "--json"]);
    expect((await listed()).map(({ name, check }) => [name, check.kind])).toEqual([
      ["memory of orders", "threshold"],
      ["Backup", "check-in"],
      ["hourly", "check-in"],
    ]);
    expect((await listed())[2]?.check).toMatchObject({ schedule: { type: "interval", minutes: 60 } });
    expect((await run(["list", "--json"])).stdout).not.toContain(key);
  });

  it.each([
    [[], "whence monitors takes list, add, or pause"],
    [["pause"], "whence monitors takes list, add, or pause"],
    [["list", "--service", "a"], "whence monitors takes list, add, or pause"],
    [["add"], "whence monitors add takes one of --uptime, --metric, --check-in"],
    [["add", "--uptime", "https://a.example", "--metric", "memory"], "takes one of --uptime, --metric, --check-in"],
    [["add", "--uptime", "https://a.example", "--above", "1"], "--above doesn't go with --uptime"],
    [["add", "--uptime", "a.example"], "check.url: it must be an http or https URL"],
    [["add", "--metric", "cpu", "--above", "1"], "--metric takes failures, failed-requests, memory"],
    [["add", "--metric", "memory", "--service", "a"], "--metric needs --above or --below"],
    [["add", "--metric", "memory", "--above", "much", "--service", "a"], '--above takes a number, but got "much"'],
    [["add", "--metric", "memory", "--above", "1"], "service: a threshold needs the service that it watches"],
    [["add", "--check-in", "a"], "--check-in needs --cron or --every"],
    [["add", "--check-in", "a", "--every", "90s"], "--every takes a time of whole minutes such as 30m, 2h, or 7d"],
    [["remove", "nothing"], 'no monitor has the id or name "nothing"'],
  ])("rejects wrong usage: %j", async (args, said) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it("needs a key of the organization, and prints the service's reason for a refusal", async () => {
    const without = await run(["list"], { env: { WHENCE_API_KEY: "" } });
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("Settings, API keys, scope Full")]);
    const refused = await run(["add", "--check-in", "a", "--cron", "every night"]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("body.check.schedule.crontab")]);
  });
});
