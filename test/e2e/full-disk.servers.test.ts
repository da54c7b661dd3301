import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../servers/free-port.ts";
import { findProgram } from "../servers/programs.ts";
import { bootstrapKey, eventually } from "../servers/server-process.ts";
import { batchOf, exceptionEvent } from "./telemetry-batch.ts";

const main: string = join(import.meta.dirname, "../../services/server/src/main.ts");

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-full-disk-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Returns the command for running the service on its own disk: a mount namespace that ends with it. */
function onDisk(mountOptions: string): [string, string[]] {
  const script = 'mount -t tmpfs -o "$1" tmpfs "$2" && shift 2 && exec "$@"';
  const server = [process.execPath, "--conditions=@whence/source", main];
  return [findProgram("unshare", "util-linux"), ["-rm", "sh", "-c", script, "sh", mountOptions, folder, ...server]];
}

function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    NODE_COMPILE_CACHE,
    WHENCE_DATA_DIR: join(folder, "data"),
    WHENCE_BOOTSTRAP_API_KEY: bootstrapKey,
    ...more,
  };
}

async function firstLineOn(mountOptions: string): Promise<string> {
  const [program, parameters] = onDisk(mountOptions);
  const failure: unknown = await promisify(execFile)(program, parameters, { env: environment() }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return failure instanceof Error && "stderr" in failure ? String(failure.stderr).trim() : "";
}

describe("the first start on a disk that can't be written to", () => {
  it.each([
    ["size=4k,nr_inodes=2", "its disk is full: free space"],
    ["size=4k", "its disk is full: free space"],
    ["size=1m", "its disk has 1 MB free and the first start needs 16 MB: free space"],
    ["size=1m,ro", "its file system is read-only: mount it writable, or choose another directory"],
  ])("with %s reports that in one line, with the reason", async (mountOptions, reason) => {
    const said = `the data directory ${join(folder, "data")} can't be written: ${reason}`;
    expect(await firstLineOn(mountOptions)).toBe(`${said} (WHENCE_ERR_DATA_DIRECTORY_UNWRITABLE)`);
  });
});

describe("a disk that fills up under a running service", () => {
  it("makes analyses fail first and telemetry last, reports it, and recovers once there is room", async () => {
    const port = await freePort();
    const [program, parameters] = onDisk("size=300m");
    const reserveBytes = 160_000_000;
    const env = environment({ PORT: String(port), WHENCE_DISK_RESERVE_BYTES: String(reserveBytes) });
    const server = spawn(program, parameters, { env, stdio: "ignore" });
    const url = `http://127.0.0.1:${port}`;
    try {
      await eventually("the service", async () => ((await health(url)).status === 200 ? true : undefined));
      const disk = `/proc/${server.pid}/root${folder}`;
      const until = (says: RegExp) => eventually(`${says}`, async () => said(await health(url), says));

      await until(/^ok$/);
      expect([await analyze(url), await send(url)]).toEqual([200, 202]);
      await leaveFree(disk, reserveBytes * 0.4);
      expect(await until(/^nearly full: \d+ MB free, analyses are refused$/)).toBe(200);
      expect([await analyze(url), await send(url)]).toEqual([507, 202]);
      await leaveFree(disk, reserveBytes * 0.1);
      expect(await until(/^full: \d+ MB free, everything is refused until there is room$/)).toBe(503);
      expect([await analyze(url), await send(url)]).toEqual([507, 503]);
      await rm(join(disk, "ballast-0"));
      await rm(join(disk, "ballast-1"));
      expect(await until(/^ok$/)).toBe(200);
      expect([await analyze(url), await send(url)]).toEqual([200, 202]);
    } finally {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
  });
});

interface Health {
  readonly status: number;
  readonly disk: string;
}

async function health(url: string): Promise<Health> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined);
  const body = (await answer?.json()) ?? {};
  return { status: answer?.status ?? 0, disk: String(Reflect.get(Object(Reflect.get(body, "dependencies")), "disk")) };
}

function said({ status, disk }: Health, says: RegExp): number | undefined {
  return says.test(disk) ? status : undefined;
}

let ballasts = 0;

/** Fills the disk until `bytes` are left. */
async function leaveFree(disk: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(join(disk, `ballast-${ballasts}`), Buffer.alloc(bavail * bsize - bytes, 1));
  ballasts += 1;
}

const headers = { "content-type": "application/json", "x-api-key": bootstrapKey };

async function analyze(url: string): Promise<number> {
  const body = JSON.stringify({ error_log: "Error: boom" });
  return (await fetch(`${url}/api/mcp/analyze`, { method: "POST", headers, body })).status;
}

async function send(url: string): Promise<number> {
  const body = JSON.stringify(batchOf([exceptionEvent("total", 1)]));
  return (await fetch(`${url}/api/telemetry/events`, { method: "POST", headers, body })).status;
}
