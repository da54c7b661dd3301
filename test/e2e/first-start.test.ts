import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../servers/free-port.ts";
import { eventually, runCommand, startServerProcess } from "../servers/server-process.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-first-start-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe("the first start", () => {
  it("closes its data directory, and everything in it, to other users", async () => {
    await chmod(folder, 0o755);
    await writeFile(join(folder, "control.sqlite"), "", { mode: 0o644 });
    const server = await startServerProcess(folder, await freePort());
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const modes = await Promise.all(files.map(async (file) => ({ file, mode: await modeOf(file).catch(() => 0o600) })));
    expect(files).toContain(join(folder, "queue.sqlite"));
    expect(modes.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
    expect(await modeOf(folder)).toBe(0o700);
    await server.end("SIGTERM");
  });

  it("leaves the first API key to the next start when it fails", async () => {
    const port = await freePort();
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    const environment = { WHENCE_DATA_DIR: folder, WHENCE_BOOTSTRAP_API_KEY: "" };
    const failed = await runCommand({ ...environment, PORT: String(port) }, []);
    expect([failed.code, failed.printed]).toEqual([1, ""]);
    await new Promise((resolve) => other.close(resolve));

    const server = await startServerProcess(folder, port, environment);
    const key = await eventually("the key", async () => /API key +(whk_[\w-]+)/.exec(server.output())?.[1]);
    const answer = await fetch(`${server.url}/api/incidents`, { headers: { "x-api-key": key } });
    expect(answer.status).toBe(200);
    await server.end("SIGTERM");
  });
});
