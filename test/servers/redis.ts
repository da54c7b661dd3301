import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";
import { findProgram } from "./programs.ts";

/** Redis on the loopback interface, without persistence. */
export interface RedisServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts redis-server. Throws an error that names the Debian package when it isn't installed. */
export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "whence-redis-"));
  const port = await freePort();
  const args = ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--dir", folder];
  const child = spawn(findProgram("redis-server", "redis-server"), args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.includes("Ready to accept connections")) break;
  }
  if (child.exitCode !== null) throw new Error(`redis-server ended:\n${lines.join("\n")}`);
  child.stdout.resume();
  return {
    port,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
