import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  begin,
  type Ending,
  type Programs,
  preparePrograms,
  type Running,
  run,
  type Start,
} from "../../equivalence-programs.ts";
import { startGateway, type TestGateway } from "../../gateway.ts";
import { eventually } from "../../polling.ts";
import { type Runtime, runtimeNamed } from "../../runtimes.ts";

const oldest = runtimeNamed("18");
const newest = runtimeNamed("26");
const tenFailures = Array.from({ length: 10 }, (_, index) => `failure ${index + 1}`);

let programs: Programs;
let gateway: TestGateway;
let base: string;
let folder: string;
const running: Running[] = [];

beforeAll(async () => {
  programs = await preparePrograms();
});
afterAll(() => programs.remove());
beforeEach(async () => {
  gateway = await startGateway();
  base = await mkdtemp(join(tmpdir(), "whence-spool-test-"));
  folder = join(base, "whence-spool");
  return async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill("SIGKILL");
      await ended;
    }
    await gateway.close();
    await rm(base, { recursive: true });
  };
});

interface Settings {
  readonly failures?: number;
  readonly runtime?: Runtime;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function startOf(ending: string, { failures = 10, runtime = newest, flags = [], env = {} }: Settings = {}): Start {
  return {
    runtime,
    file: "spooling.cjs",
    args: [ending, String(failures)],
    flags: ["--conditions=watched", ...flags],
    env: { WHENCE_API_KEY: "whk_test", WHENCE_ENDPOINT: gateway.url, SPOOL: base, ...env },
  };
}

/** Runs a process of the service that fails in the given way, to its end. */
async function fails(ending: string, settings?: Settings): Promise<Ending> {
  return await run(programs.folder, startOf(ending, settings));
}

/** Starts the next process of the service, which has no events of its own. */
function next(settings: Settings = {}): void {
  running.push(begin(programs.folder, startOf("runs on", { failures: 0, ...settings })));
}

/** Returns what is on disk, of all processes. */
async function spooled(): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
  return texts.join("");
}

const arrived = (): string[] => gateway.events("exception").map(({ message }) => message);

describe("the spool", () => {
  it.each([
    ["SIGTERM", newest],
    ["SIGKILL", newest],
    ["SIGTERM", oldest],
  ] as const)("has ten errors, captured 50 ms before %s, sent by the next start", async (signal, runtime) => {
    const { signal: ended } = await fails(`is ended by ${signal}`, { runtime });
    expect(ended).toBe(signal);
    expect(gateway.posts).toEqual([]);
    next({ runtime });
    await eventually(() => arrived().length >= 10);
    expect(arrived()).toEqual(tenFailures);
    await eventually(async () => (await readdir(folder)).length === 0);
  });

  it("has them sent with the header and the numbers of their own process", async () => {
    await fails("is ended by SIGKILL");
    next();
    const [batch] = await eventually(() => gateway.batches.length > 0 && gateway.batches);
    const pids = running.map(({ child }) => child.pid);
    expect(pids).not.toContain(batch?.host.pid);
    expect(batch?.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("is readable only by this user, and redacted", async () => {
    await fails("is ended by SIGKILL");
    const [name = ""] = await readdir(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    const text = await readFile(join(folder, name), "utf8");
    expect(text).toContain("failure 10");
    expect(text).toContain("[redacted]");
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("whk_test");
  });

  it("leaves nothing behind when everything was delivered", async () => {
    await fails("exits with 0");
    expect(arrived().sort()).toEqual([...tenFailures].sort());
    expect(await readdir(folder).catch(() => [])).toEqual([]);
  });

  it("stores the last error of a process when the service doesn't answer", async () => {
    gateway.answers.push({ status: 503, afterMs: 30_000 });
    await fails("throws", { failures: 1 });
    expect(arrived()).toEqual([]);
    next();
    await eventually(() => arrived().length >= 2);
    expect(arrived().sort()).toEqual(["failure 1", "the last one"]);
  });

  it.each([
    ["the page of a proxy", { status: 200, body: "<html>sign in</html>" }],
    ["a refusal, and then takes the rest", { status: 413 }],
  ])("stores the last error of a process that gets %s", async (_what, answer) => {
    gateway.answers.push(answer);
    await fails("throws");
    const left = await spooled();
    expect([left.includes('"message":"the last one"'), left.includes('"message":"failure 1"')]).toEqual([true, false]);
  });

  it("stores the last error of a process that may start no thread", async () => {
    const flags = ["--permission", "--allow-fs-read=*", `--allow-fs-write=${base}`, "--allow-net"];
    const { code, stderr } = await fails("throws", { failures: 0, flags });
    expect([code, stderr]).toEqual([1, expect.stringContaining("the last one")]);
    next();
    await eventually(() => arrived().includes("the last one"));
  });

  it("stores the last error of a process whose working directory was deleted", async () => {
    await fails("throws in a folder that was removed", { failures: 0 });
    next();
    await eventually(() => arrived().includes("the last one"));
  });

  it("stores the last error of a process that dies in its own handler", async () => {
    expect(await fails("throws in its listener", { failures: 0 })).toMatchObject({ code: 7 });
    next();
    await eventually(() => arrived().includes("the last one"));
  });

  it("stores the last error of a thread", async () => {
    gateway.answers.push(...Array.from({ length: 100 }, () => ({ status: 503 })));
    running.push(begin(programs.folder, startOf("has a thread that throws", { failures: 0 })));
    await eventually(async () => (await spooled()).includes("the last one"));
    running.at(-1)?.child.kill("SIGKILL");
    await running.at(-1)?.ended;
    gateway.answers.splice(0);
    next();
    await eventually(() => arrived().includes("the last one"));
  });

  it("is sent once when two processes start at the same time", async () => {
    for (const _ of [1, 2, 3]) await fails("is ended by SIGKILL");
    next();
    next();
    await eventually(() => arrived().length >= 30);
    await eventually(async () => (await readdir(folder)).length === 0);
    expect(arrived()).toHaveLength(30);
  });

  it("isn't taken from a living process", async () => {
    running.push(begin(programs.folder, startOf("runs on")));
    const [name = ""] = await eventually(async () => {
      const names = await readdir(folder).catch(() => []);
      return names.length > 0 && names;
    });
    await fails("is ended by SIGKILL", { failures: 1 });
    next();
    await eventually(() => arrived().includes("failure 1"));
    expect(await readdir(folder)).toContain(name);
  });

  it("isn't taken by another service", async () => {
    await fails("is ended by SIGKILL");
    const before = await readdir(folder);
    next({ env: { SERVICE: "another" } });
    next();
    await eventually(() => arrived().length >= 10);
    expect(before).toHaveLength(1);
    expect(gateway.batches.map(({ service }) => service)).toEqual(["spooling"]);
  });

  it("survives truncated lines, and files that aren't spools", async () => {
    await fails("is ended by SIGKILL");
    const [name = ""] = await readdir(folder);
    await appendFile(join(folder, name), '\n{"seq":11,"mess');
    await writeFile(join(folder, "notes.txt"), "mine");
    const [group, host] = name.split(".");
    await writeFile(join(folder, `${group}.${host}.1999999.abc.abc-1.spool`), "no header\n");
    await mkdir(join(folder, `${group}.${host}.1999999.abd.abd-1.spool`));
    next();
    await eventually(() => arrived().length >= 10);
    await eventually(async () => (await readdir(folder)).length === 1);
    expect(arrived()).toEqual(tenFailures);
    expect(await readFile(join(folder, "notes.txt"), "utf8")).toBe("mine");
  });

  it.each<readonly [string, () => Promise<readonly string[]>]>([
    ["is full", async () => ["prlimit", "--fsize=2000"]],
    ["is no folder", async () => writeFile(folder, "").then(() => [])],
    [
      "is open to others",
      async () =>
        mkdir(folder)
          .then(() => chmod(folder, 0o777))
          .then(() => []),
    ],
  ])("doesn't affect the program when its disk %s", async (_how, prepare) => {
    const wrapper = await prepare();
    const { runtime, file, args, env, flags = [] } = startOf("exits with 0");
    const [path = runtime.path, ...before] = wrapper.length > 0 ? [...wrapper, runtime.path] : [];
    const start = { runtime: { ...runtime, path }, file, args, env, flags: [...before, ...flags] };
    const ending = await run(programs.folder, start);
    expect(ending).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(arrived().sort()).toEqual([...tenFailures].sort());
  });
});
