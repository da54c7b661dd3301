import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../gateway.ts";
import { buildSdk, type SdkBuild } from "../sdk-build.ts";

const program = join(import.meta.dirname, "../programs", "watched-by-doctor.mjs");

let sdk: SdkBuild;
let gateway: TestGateway;
beforeAll(async () => {
  sdk = await buildSdk();
});
afterAll(() => sdk.remove());
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

interface Ending {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function doctor(
  args: readonly string[],
  options: object = {},
  environment: Record<string, string> = {},
): Promise<Ending> {
  const env = {
    PATH: process.env.PATH,
    WHENCE_SDK: join(sdk.folder, "index.js"),
    WHENCE_ENDPOINT: gateway.url,
    DOCTOR_OPTIONS: JSON.stringify(options),
    ...environment,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(sdk.folder, "doctor", "main.js"), ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

const onProgram = ["--", process.execPath, program];
const tidy = { service: "orders", release: "1.4.2", preset: true, names: ["userToken"] };

interface Read {
  readonly checks: readonly { readonly name: string; readonly outcome: string }[];
  readonly canaries: readonly { readonly channel: string; readonly name: string; readonly leaves: boolean }[];
  readonly near_misses: readonly { readonly name: string; readonly path: string }[];
}

function read({ stdout }: Ending): Read {
  return JSON.parse(stdout);
}

const namesOf = ({ canaries }: Read, channel: string, leaves: boolean): string[] =>
  canaries.filter((one) => one.channel === channel && one.leaves === leaves).map(({ name }) => name);

describe("the doctor", () => {
  it("shows what would leave a program, and what would not", async () => {
    const ending = await doctor(["doctor", "--json", ...onProgram]);
    const report = read(ending);
    expect(ending.code).toBe(1);
    expect(namesOf(report, "header", false)).toContain("authorization");
    expect(namesOf(report, "header", true)).toEqual(expect.arrayContaining(["x-api-key", "set-cookie"]));
    expect(namesOf(report, "property", false)).toEqual(expect.arrayContaining(["password", "token"]));
    expect(namesOf(report, "property", true)).toEqual([]);
    expect(namesOf(report, "text", false)).toEqual([]);
    expect(namesOf(report, "url", true)).toEqual(["query of an outgoing request"]);
    expect(namesOf(report, "process", true)).toEqual([]);
  });

  it("lists fields of the program's own events that sound like secrets", async () => {
    expect(read(await doctor(["doctor", "--json", "--offline", ...onProgram])).near_misses).toEqual([
      { name: "userToken", path: "/attributes/userToken" },
    ]);
  });

  it("reports no problems for a well-configured program, and sends only an empty batch", async () => {
    const ending = await doctor(["doctor", ...onProgram], tidy);
    expect(ending).toMatchObject({ code: 0, stderr: "" });
    expect(ending.stdout).toContain("✓ no credential header would leave");
    expect(ending.stdout).not.toContain("\x1b[");
    expect(gateway.posts.map(({ headers, batch }) => [headers["x-api-key"], batch.events])).toEqual([["whk_test", []]]);
  });

  it("sends one test event with --send", async () => {
    gateway.answers.push({ status: 202, body: '{"accepted":1,"rejected":[]}' });
    const ending = await doctor(["doctor", "--send", ...onProgram], tidy);
    expect(ending.code).toBe(0);
    expect(gateway.events()).toMatchObject([{ type: "log", level: "info", mechanism: { type: "doctor" } }]);
  });

  it.each([
    [{ status: 401 }, "key"],
    [{ status: 500 }, "delivery"],
    [{ status: 202, headers: { date: "Sat, 21 Nov 2020 10:00:00 GMT" } }, "clock"],
  ])("reports the failed check when the server responds with %j", async (answer, name) => {
    gateway.answers.push(answer);
    const ending = await doctor(["doctor", "--json", ...onProgram], tidy);
    expect(ending.code).toBe(1);
    expect(
      read(ending)
        .checks.filter(({ outcome }) => outcome !== "ok")
        .map((check) => check.name),
    ).toEqual([name]);
  });

  it("reports a server that doesn't respond, and a service without a name", async () => {
    await gateway.close();
    const report = read(await doctor(["doctor", "--json", ...onProgram], { ...tidy, service: undefined }));
    expect(report.checks).toMatchObject([
      { name: "address", outcome: "ok" },
      { name: "delivery", outcome: "failed" },
      { name: "service", outcome: "warning" },
      { name: "env", outcome: "ok" },
      { name: "release", outcome: "ok" },
      { name: "spool", outcome: "ok" },
    ]);
    gateway = await startGateway();
  });

  it.each([
    [{}, "ok", "events are kept in TMP/whence-spool-USER until they are sent"],
    [{ spool: false }, "warning", "in memory only: spool is false"],
    [{ spool: "/dev/null" }, "warning", "in memory only: /dev/null/whence-spool can't be written"],
  ])("reports where events are spooled with %j", async (options, outcome, detail) => {
    const report = read(
      await doctor(["doctor", "--json", ...onProgram], { ...tidy, ...options }, { TMPDIR: tmpdir() }),
    );
    const text = detail.replace("TMP", tmpdir()).replace("USER", String(process.getuid?.()));
    expect(report.checks.find(({ name }) => name === "spool")).toEqual({ name: "spool", outcome, detail: text });
  });

  it("without a command, starts a client with options from the environment", async () => {
    const environment = { WHENCE_API_KEY: "whk_env", WHENCE_SERVICE: "from-env", WHENCE_RELEASE: "r1" };
    const ending = await doctor(["doctor", "--json"], {}, environment);
    expect(read(ending).checks.find(({ name }) => name === "service")).toMatchObject({ detail: "from-env" });
    expect(gateway.posts[0]?.headers["x-api-key"]).toBe("whk_env");
  });

  it.each<[string, string[], RegExp]>([
    ["no command", [], /^whence-node doctor/],
    ["an unknown option", ["doctor", "--nonsense"], /nonsense/],
    ["a duration that isn't a number", ["doctor", "--wait", "soon"], /--wait and --watch take a number of seconds/],
    [
      "a program without init",
      ["doctor", "--wait", "1", "--", "node", "-e", "setTimeout(() => {}, 5000)"],
      /init was not called within 1 s/,
    ],
    [
      "a program that ends",
      ["doctor", "--", "node", "-e", "console.error('no such table'); process.exit(3)"],
      /the program ended \(3\)[\s\S]*no such table/,
    ],
    ["a program that doesn't exist", ["doctor", "--", "/nowhere/node"], /could not start/],
  ])("exits with 2 for %s", async (_what, args, message) => {
    const ending = await doctor(args);
    expect(ending).toMatchObject({ code: 2, stdout: "" });
    expect(ending.stderr).toMatch(message);
  });
});
