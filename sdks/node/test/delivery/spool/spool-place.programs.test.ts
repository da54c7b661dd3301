import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { begin, type Ending, type Programs, preparePrograms, type Running, run } from "../../equivalence-programs.ts";
import { startGateway, type TestGateway } from "../../gateway.ts";
import { eventually } from "../../polling.ts";
import { runtimeNamed } from "../../runtimes.ts";

let programs: Programs;
let gateway: TestGateway;
let temporary: string;
let folder: string;
const running: Running[] = [];

beforeAll(async () => {
  programs = await preparePrograms();
});
afterAll(() => programs.remove());
beforeEach(async () => {
  gateway = await startGateway();
  temporary = await mkdtemp(join(programs.folder, "tmp-"));
  folder = join(temporary, `whence-spool-${process.getuid?.()}`);
  return async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill("SIGKILL");
      await ended;
    }
    await gateway.close();
    await rm(temporary, { recursive: true });
  };
});

interface Settings {
  readonly failures?: number;
  readonly node?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const startOf = (ending: string, { failures = 10, node = "26", flags = [], env = {} }: Settings) => ({
  runtime: runtimeNamed(node),
  file: "spooling.cjs",
  args: [ending, String(failures)],
  flags: ["--conditions=watched", ...flags],
  env: { WHENCE_API_KEY: "whk_test", WHENCE_ENDPOINT: gateway.url, TMPDIR: temporary, ...env },
});

/** Runs a process without a configured spool that fails, to its end. */
async function fails(ending: string, settings: Settings = {}): Promise<Ending> {
  return await run(programs.folder, startOf(ending, settings));
}

/** Starts the next process of the service. */
function next(settings: Settings = {}): void {
  running.push(begin(programs.folder, startOf("runs on", { failures: 0, ...settings })));
}

const arrived = (): string[] => gateway.events("exception").map(({ message }) => message);
/** Returns what is on disk, of all processes. */
const spooled = async (): Promise<string> =>
  (await Promise.all((await files()).map((name) => readFile(join(folder, name), "utf8").catch(() => "")))).join("");
const files = (): Promise<string[]> => readdir(folder).catch(() => []);
const failures = (count: number): string[] => Array.from({ length: count }, (_, index) => `failure ${index + 1}`);

describe("a program without a configured spool", () => {
  it.each([
    ["18", "SIGTERM"],
    ["20", "SIGTERM"],
    ["26", "SIGTERM"],
    ["26", "SIGINT"],
    ["26", "SIGKILL"],
  ] as const)("has queued events sent by its next start after a signal (Node %s, %s)", async (node, signal) => {
    const { child, ended } = begin(programs.folder, startOf("fails while it is idle", { failures: 0, node }));
    await eventually(async () => (await spooled()).includes('"message":"failure 10"'));
    child.kill(signal);
    expect(await ended).toEqual({ code: null, signal, stdout: "", stderr: "" });
    expect(gateway.events("exception")).toEqual([]);
    next({ node });
    await eventually(() => arrived().length >= 10);
    expect(arrived()).toEqual(failures(10));
    const [frame] = gateway.events("exception")[0]?.exceptions?.[0]?.frames ?? [];
    expect(frame?.context?.lines.join("\n")).toContain("captureException(Object.assign(new Error(");
    await eventually(async () => (await files()).length === 0);
  });

  it("writes nothing when nothing fails, and leaves nothing when everything was sent", async () => {
    await fails("exits with 0", { failures: 0 });
    expect(await readdir(temporary)).toEqual([]);
    await fails("exits with 0");
    await fails("exits while its spool is opened");
    expect(arrived().sort()).toEqual([...failures(10), ...failures(10)].sort());
    expect(await files()).toEqual([]);
  });

  it("loses none of 1,800 events when the service is slow and SIGKILL ends the process", async () => {
    gateway.answers.push({ status: 503, afterMs: 30_000 });
    const { child, ended } = begin(programs.folder, startOf("fails and logs in 300 turns", { failures: 0 }));
    running.push({ child, ended });
    await eventually(async () => (await spooled()).includes('"message":"failure 300"'));
    child.kill("SIGKILL");
    await ended;
    expect(arrived()).toEqual([]);
    next();
    await eventually(() => gateway.events("log").length >= 1_500);
    expect(arrived()).toEqual(failures(300));
    expect(gateway.batches.flatMap(({ dropped = [] }) => dropped)).toEqual([]);
  });

  it.each(["18", "20", "22", "24", "26"])(
    "has an error in a listener sent after a burst of 150 others (Node %s)",
    async (node) => {
      gateway.answers.push({ status: 503, afterMs: 30_000 });
      const ending = await fails("throws in its listener", { failures: 150, node });
      expect([ending.code, ending.stderr.includes("Error: second")]).toEqual([7, true]);
      gateway.answers.splice(0);
      next({ node });
      await eventually(() => arrived().includes("the last one"));
    },
  );

  it("has what it couldn't send before its crash sent by its next start", async () => {
    gateway.answers.push({ status: 503 });
    expect(await fails("throws", { failures: 1 })).toMatchObject({ code: 1 });
    next();
    await eventually(() => arrived().length >= 2);
    expect(arrived().sort()).toEqual(["failure 1", "the last one"]);
  });

  it("doesn't share events with a program with another key", async () => {
    await fails("is ended by SIGKILL");
    next({ env: { WHENCE_API_KEY: "whk_other" } });
    next();
    await eventually(() => arrived().length >= 10);
    expect(
      new Set(
        gateway.posts
          .filter(({ batch }) => batch.events.some(({ type }) => type === "exception"))
          .map(({ headers }) => headers["x-api-key"]),
      ),
    ).toEqual(new Set(["whk_test"]));
  });

  it.each<readonly [string, () => Promise<Settings>]>([
    ["isn't there", async () => ({ env: { TMPDIR: "/proc/nowhere" } })],
    [
      "has another's link in the spool's place",
      async () => {
        await mkdir(join(temporary, "elsewhere"));
        await symlink(join(temporary, "elsewhere"), folder);
        return {};
      },
    ],
    [
      "may not be written to",
      async () => ({ flags: ["--permission", "--allow-fs-read=*", "--allow-net", "--allow-worker"] }),
    ],
  ])("ends as it would otherwise when the temporary folder %s", async (_what, prepare) => {
    const ending = await fails("exits with 0", await prepare());
    expect(ending).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
    expect(arrived().sort()).toEqual(failures(10).sort());
    expect(await readdir(join(temporary, "elsewhere")).catch(() => [])).toEqual([]);
  });

  it("dies of SIGTERM in the middle of a loop, with the exit code its parent expects", async () => {
    const shell = { ...runtimeNamed("26"), path: "/bin/sh" };
    const flags = ["-c", '"$0" "$@"; echo "ended with $?"', runtimeNamed("26").path, "--conditions=watched"];
    const { env, file, args } = startOf("is ended by SIGTERM in a loop", {});
    const { stdout, code } = await run(programs.folder, { runtime: shell, flags, file, args, env });
    expect([stdout, code]).toEqual(["0 listeners\nended with 143\n", 0]);
  });
});
