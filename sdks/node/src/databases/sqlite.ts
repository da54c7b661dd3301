import { listen } from "../instrumentations/channels.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { beginCall } from "./begin-call.ts";

const nanosecondsPerMs = 1e6;

let isListening = false;

/**
 * Records the statements of `node:sqlite` that ran to their end as breadcrumbs, on Node 26 and newer, which publishes
 * them. Node then writes each statement out with all its values, which takes long where those are large.
 */
export function whenceSqlite(): void {
  if (isListening) return;
  isListening = true;
  listen("sqlite.db.query", (message) => {
    const end = beginCall(() => ({ system: "sqlite", statement: asText(readProperty(message, "sql")) }));
    const duration = readProperty(message, "duration");
    end?.(undefined, typeof duration === "number" ? duration / nanosecondsPerMs : undefined);
  });
}
