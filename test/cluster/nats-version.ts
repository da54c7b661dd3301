import { execFileSync } from "node:child_process";
import { findProgram } from "../servers/programs.ts";

/** The first version observed to keep them equal; 2.10.14 doesn't. */
const sound = [2, 10, 22] as const;

/** Returns the version of the nats-server that a cluster is started with, such as `2.12.1`. */
export function natsVersion(): string {
  const program = process.env.NATS_SERVER ?? findProgram("nats-server", "nats-server");
  const printed = execFileSync(program, ["--version"], { encoding: "utf8" });
  return /\d+\.\d+\.\d+/.exec(printed)?.[0] ?? "";
}

/**
 * Whether the replicas of a stream stay equal when servers die. In older versions, a replica that restarts accepts what
 * was rejected as a duplicate, or skips what is new; a message then has different numbers on different replicas, and a
 * message acknowledged by one number stays in the stream under the other (nats-server #4365, #5287).
 */
export function keepsReplicasEqual(version: string): boolean {
  const numbers = version.split(".").map(Number);
  const at = sound.findIndex((wanted, index) => numbers[index] !== wanted);
  return at === -1 || (numbers[at] ?? 0) > (sound[at] ?? 0);
}
