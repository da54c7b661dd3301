import { redisCommand } from "../core/redis-command.ts";
import { isObject } from "../runtime/is-object.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { beginCall } from "./begin-call.ts";
import { watchMethod } from "./observe-end.ts";
import { wrapMethod } from "./wrap-method.ts";

/** The part of the class exported by `ioredis` that is used. */
export interface Ioredis {
  readonly prototype: object;
}

/** Commands that ioredis itself sends when it connects. */
const ofHandshake = new Set(["auth", "client", "hello", "info", "readonly", "select"]);

/**
 * Starts recording the commands of all clients of `ioredis` as breadcrumbs; of a pipeline or transaction, only the
 * first command. Doesn't use the channels that ioredis publishes: with a subscriber, a failed command whose promise
 * isn't handled no longer ends the program.
 */
export function whenceIoredis(redis: Ioredis): void {
  /** ioredis sends a command again once it is connected. */
  const seen = new WeakSet<object>();
  wrapMethod(
    readProperty(redis, "prototype"),
    "sendCommand",
    (original) =>
      function (this: unknown, ...args) {
        const [command] = args;
        if (!isObject(command) || seen.has(command) || isInternal(this, command))
          return Reflect.apply(original, this, args);
        seen.add(command);
        const end = beginCall(() => ({ system: "redis", command: shapeOf(command), ...serverOf(this) }));
        if (end) {
          watchMethod(command, "resolve", () => end());
          watchMethod(command, "reject", end);
        }
        return Reflect.apply(original, this, args);
      },
  );
}

function isInternal(client: unknown, command: object): boolean {
  const index = readProperty(command, "pipelineIndex");
  if (typeof index === "number" && index > 0) return true;
  return readProperty(client, "status") === "connect" && ofHandshake.has(asText(readProperty(command, "name")));
}

function shapeOf(command: object): string {
  const values = readProperty(command, "args");
  return redisCommand(asText(readProperty(command, "name")), Array.isArray(values) ? values.length : 0);
}

function serverOf(client: unknown): { host?: string; port?: number; database?: string } {
  const options = readProperty(client, "options");
  const [host, port, db] = ["host", "port", "db"].map((name) => readProperty(options, name));
  return {
    ...(typeof host === "string" ? { host } : {}),
    ...(typeof port === "number" ? { port } : {}),
    ...(typeof db === "number" ? { database: String(db) } : {}),
  };
}
