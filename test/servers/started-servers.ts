import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

const readyMs = 300_000;
const pollMs = 50;

/** Starts a server without output that ends with this process at the latest. */
export function startQuietly(program: string, options: readonly string[]): ChildProcess {
  const child = spawn(program, options, { stdio: "ignore" });
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}

/** Resolves when a GET is answered with 200; fails after five minutes. */
export async function untilReady(url: string): Promise<void> {
  const deadline = performance.now() + readyMs;
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (performance.now() > deadline) throw new Error(`${url} isn't ready`);
    await delay(pollMs);
  }
}

/** Kills the running ones, and waits for their exit. */
export async function killServers(children: readonly ChildProcess[]): Promise<void> {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  const ended = running.map((child) => once(child, "exit"));
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(ended);
}
