import { type ChildProcess, execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../gateway.ts";
import { eventually } from "../polling.ts";
import { type Runtime, runtimes } from "../runtimes.ts";
import { buildSdk, type SdkBuild } from "../sdk-build.ts";
import { temporaryFolder } from "../temporary-folder.ts";

interface Hung {
  readonly gateway: TestGateway;
  readonly child: ChildProcess;
}

let sdk: SdkBuild;
/** By runtime; started together, since each takes half a minute to be noticed. */
const hung = new Map<Runtime, Hung>();
const checked = [runtimes[0], runtimes.at(-1)].filter((runtime) => runtime !== undefined);

beforeAll(async () => {
  sdk = await buildSdk();
  for (const runtime of checked) {
    const gateway = await startGateway();
    const env = { TMPDIR: temporaryFolder(), WHENCE_SDK: join(sdk.folder, "index.cjs"), WHENCE_ENDPOINT: gateway.url };
    const program = join(import.meta.dirname, "../programs/hangs.cjs");
    hung.set(runtime, { gateway, child: spawn(runtime.path, [program], { env, stdio: "ignore" }) });
  }
});
afterAll(async () => {
  for (const { child, gateway } of hung.values()) {
    child.kill("SIGKILL");
    await gateway.close();
  }
  await sdk.remove();
});

describe("a process whose main thread is blocked", () => {
  it.each(checked)("is reported by another thread with its stack, on Node $name", async (runtime) => {
    const told = () => hung.get(runtime)?.gateway.batches ?? [];
    const batch = await eventually(
      () => told().find(({ events }) => events.some(({ level }) => level === "error")),
      55_000,
    );
    const [event] = batch.events;
    expect(event).toMatchObject({ type: "heartbeat", seq: 1, mechanism: { handled: true } });
    expect(batch.instance).toBe(told()[0]?.instance);
    const { main_thread_blocked_ms: blocked, main_thread_stack: stack } = event?.attributes ?? {};
    expect(blocked).toBeGreaterThanOrEqual(15_000);
    expect(String(stack).split("\n")[0]).toMatch(/^ {4}at waitForever \(.*hangs\.cjs:10:\d+\)$/);
  });
});

describe("the watching thread", () => {
  it.each(
    checked.flatMap((runtime) => [
      { runtime, name: runtime.name, setting: {}, threads: 0 },
      { runtime, name: runtime.name, setting: { WHENCE_HANG_WATCH: "on" }, threads: 1 },
      { runtime, name: runtime.name, setting: { WHENCE_HANG_WATCH: "on", LISTENS: "1" }, threads: 0 },
    ]),
  )("is started when enabled, except where the program would notice: Node $name, $setting", async (given) => {
    const gateway = await startGateway();
    const preload = ["--require", join(sdk.folder, "register.cjs")];
    const program = join(import.meta.dirname, "../programs/counts-threads.cjs");
    const env = {
      TMPDIR: temporaryFolder(),
      WHENCE_API_KEY: "k",
      WHENCE_ENDPOINT: gateway.url,
      WHENCE_SDK: join(sdk.folder, "index.cjs"),
    };
    const flags = ["--require", join(import.meta.dirname, "../programs/hurries.cjs"), ...preload, program];
    const { stdout } = await promisify(execFile)(given.runtime.path, flags, { env: { ...env, ...given.setting } });
    await gateway.close();
    expect(stdout).toBe(`${given.threads} threads\n`);
  });
});
