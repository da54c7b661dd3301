import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NatsCluster, startNatsServer } from "../../test/servers/nats-server.ts";
import type { LoadFigures, LoadOrder, ServerFigures } from "./figures.ts";

export const kinds = ["bare", "embedded", "jetstream"] as const;
type Kind = (typeof kinds)[number];

/** A server under load with its dependencies; `stop` ends all of them. */
export interface Bench {
  load(order: Omit<LoadOrder, "port">): Promise<LoadFigures>;
  /** Figures since the last call. */
  figures(): Promise<ServerFigures>;
  stop(): Promise<void>;
}

/** Starts a server of the given kind, a load generator, and, if needed, NATS, each as a process. */
export async function startBench(kind: Kind, options: { drains?: boolean; profileInto?: string } = {}): Promise<Bench> {
  const directory = mkdtempSync(join(tmpdir(), "whence-bench-gateway-"));
  const nats = kind === "jetstream" ? await startNatsServer() : undefined;
  const profile = options.profileInto === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.profileInto}`];
  const args = [kind, directory, nats?.urls ?? "", options.drains ? "drains" : ""];
  const server = start("serve.ts", args, profile);
  const generator = start("generate-load.ts", [], []);
  const { port } = await answerOf<{ port: number }>(server);
  return {
    load: (order) => ask<LoadFigures>(generator, { ...order, port }),
    figures: () => ask<ServerFigures>(server, {}),
    stop: () => end(directory, [server, generator], nats),
  };
}

/** Starts a program of this folder as a process. */
export function start(program: string, args: readonly string[], execArgv: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, program), args, { execArgv: [...process.execArgv, ...execArgv] });
}

/** Ends processes and removes what they wrote. */
export async function end(
  directory: string,
  processes: readonly ChildProcess[],
  nats: NatsCluster | undefined,
): Promise<void> {
  const exits = processes.map((child) => once(child, "exit"));
  for (const child of processes) child.disconnect();
  await Promise.all(exits);
  await nats?.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** Resolves to the answer of a process. */
export function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  const answer = answerOf<Answer>(child);
  child.send(question);
  return answer;
}

async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const answered = new AbortController();
  const { signal } = answered;
  const exited = once(child, "exit", { signal }).then(([code]) => {
    throw new Error(`a process ended with ${code}`);
  });
  // It may still reject after the race.
  exited.catch(() => undefined);
  const [answer] = await Promise.race([once(child, "message"), exited]);
  answered.abort();
  return answer;
}
