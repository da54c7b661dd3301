import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";
import { findProgram } from "./programs.ts";

/** MariaDB on the loopback interface, with an empty database `test` that anyone may use. */
export interface MariadbServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts mariadbd. Throws an error that names the Debian package when it isn't installed. */
export async function startMariadb(): Promise<MariadbServer> {
  const folder = await mkdtemp(join(tmpdir(), "whence-mariadb-"));
  await mkdir(join(folder, "data/test"), { recursive: true });
  const port = await freePort();
  const args = [
    "--no-defaults",
    `--datadir=${join(folder, "data")}`,
    `--socket=${join(folder, "mariadb.sock")}`,
    `--pid-file=${join(folder, "mariadb.pid")}`,
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    // A data directory without system tables: no users, so no passwords.
    "--skip-grant-tables",
    "--skip-networking=0",
    ...(process.getuid?.() === 0 ? ["--user=root"] : []),
  ];
  const child = spawn(findProgram("mariadbd", "mariadb-server-core"), args, { stdio: ["ignore", "ignore", "pipe"] });
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    lines.push(line);
    if (line.includes("ready for connections")) break;
  }
  if (child.exitCode !== null) throw new Error(`mariadbd ended:\n${lines.join("\n")}`);
  child.stderr.resume();
  return {
    url: `mysql://root@127.0.0.1:${port}/test`,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
