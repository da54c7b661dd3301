import type { LogLevel } from "../../signals/inputs/record.ts";
import { type Header, parseHeader } from "../header.ts";

/** `(node:17) [DEP0005] DeprecationWarning: …`. An unhandled rejection is an error all the same. */
export function parseWarning(trimmed: string): (Omit<Header, "start"> & { level: LogLevel }) | null {
  if (!trimmed.startsWith("(node:")) return null;
  const warning = /^\(node:\d{1,10}\) (?:\[(\w{1,80})\] )?(\w{0,80}Warning): (.*)$/.exec(trimmed);
  if (!warning) return null;
  const [, code = null, type = "", message = ""] = warning;
  if (type !== "UnhandledPromiseRejectionWarning") return { type, message, code, level: "warn" };
  // Node 14 and older say it twice: the error itself, then what is wrong with it.
  if (message.startsWith("Unhandled promise rejection.")) return null;
  const rejected = parseHeader(message);
  return {
    type: rejected?.type ?? type,
    message: rejected?.message ?? message,
    code: rejected?.code ?? code,
    level: "error",
  };
}
