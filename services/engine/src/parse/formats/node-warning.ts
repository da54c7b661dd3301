import type { LogLevel } from "../../signals/inputs/record.ts";
import { type Header, parseHeader } from "../header.ts";

/** Parses `(node:17) [DEP0005] DeprecationWarning: …`. An unhandled rejection still counts as an error. */
export function parseWarning(trimmed: string): (Omit<Header, "start"> & { level: LogLevel }) | null {
  if (!trimmed.startsWith("(node:")) return null;
  const warning = /^\(node:\d{1,10}\) (?:\[(\w{1,80})\] )?(\w{0,80}Warning): (.*)$/.exec(trimmed);
  if (!warning) return null;
  const [, code = null, type = "", message = ""] = warning;
  if (type !== "UnhandledPromiseRejectionWarning") return { type, message, code, level: "warn" };
  // Node.js 14 and older print two warnings: the error itself, then an explanation.
  if (message.startsWith("Unhandled promise rejection.")) return null;
  const rejected = parseHeader(message);
  return {
    type: rejected?.type ?? type,
    message: rejected?.message ?? message,
    code: rejected?.code ?? code,
    level: "error",
  };
}
