import { execFileSync } from "node:child_process";
import { findProgram } from "../servers/programs.ts";

/** The first that was seen to keep them equal; 2.10.14 was seen not to. */
const sound = [2, 10, 22] as const;

/** The version of the nats-server that a cluster is started with, such as `2.12.1`. */
export function natsVersion(): string {
  const program = process.env.NATS_SERVER ?? findProgram("nats-server", "nats-server");
  const printed = execFileSync(program, ["--version"], { encoding: "utf8" });
  return /\d+\.\d+\.\d+/.exec(printed)?.[0] ?? "";
}

/**
 * Whether the replicas of a stream stay equal when servers die. Before, a replica that starts again takes for new what
 * was refused as a duplicate, or skips what is new; a message then has one number here and another there, and what is
 * acknowledged by the one stays in the stream by the other (nats-server #4365, #5287).
 */
export function keepsReplicasEqual(version: string): boolean {
  const numbers = version.split(".").map(Number);
  const at = sound.findIndex((wanted, index) => numbers[index] !== wanted);
  return at === -1 || (numbers[at] ?? 0) > (sound[at] ?? 0);
}
