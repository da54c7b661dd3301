import type { DatabaseCall } from "../core/database-call.ts";
import { redisCommand } from "../core/redis-command.ts";
import { attachment } from "../runtime/attachment.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/** Records commands of node-redis 6 (`redis`, `@redis/client`), which publishes them on a tracing channel. */
export const nodeRedis: Instrumentation = {
  name: "node-redis",
  start(recorder) {
    const calls = attachment<DatabaseCall>();
    const started = (command: object): void => {
      // Commands of a pipeline: hundreds of them would push out every other breadcrumb.
      if (readProperty(command, "batchMode") !== undefined) return;
      const [name, ...values] = Array.from<unknown>(Reflect.get(command, "args"));
      const [host, port, db] = ["serverAddress", "serverPort", "database"].map((key) => readProperty(command, key));
      const query = {
        system: "redis" as const,
        command: redisCommand(asText(name), values.length),
        ...(typeof host === "string" ? { host } : {}),
        ...(typeof port === "number" ? { port } : {}),
        ...(typeof db === "number" ? { database: String(db) } : {}),
      };
      calls.to(command, recorder.breadcrumbs.beginQuery(query, recorder.requests.current()));
    };
    const ended = (command: object): void => calls.of(command)?.ended(readProperty(command, "error"));
    const stops = [
      listen("tracing:node-redis:command:start", recorder.guard(started, undefined)),
      listen("tracing:node-redis:command:asyncStart", recorder.guard(ended, undefined)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  },
};
