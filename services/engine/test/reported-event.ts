import type { Breadcrumb, Exception, Frame, TelemetryEvent } from "@whence/protocol";
import type { InvestigationSubject } from "../src/findings/investigation-subject.ts";

/** The files of a service, by path. */
export type Program = Readonly<Record<string, string>>;

/** Lines that the client sends on each side of a frame's line. */
const contextLines = 20;
const at = "2026-03-01T10:00:00.000Z";

/**
 * A frame as the client reports it, with the lines around: the place is the first occurrence of `code` in the file, so
 * that a test says what fails and not where it stands.
 */
export function frameAt(program: Program, file: string, code: string, name?: string): Frame {
  const text = program[file] ?? "";
  const position = text.indexOf(code);
  if (position < 0) throw new Error(`${file} has no ${code}`);
  const before = text.slice(0, position).split("\n");
  const line = before.length;
  const lines = text.split("\n");
  const start = Math.max(1, line - contextLines);
  return {
    file,
    line,
    column: (before.at(-1) ?? "").length + 1,
    in_app: true,
    ...(name === undefined ? {} : { function: name }),
    context: { start_line: start, lines: lines.slice(start - 1, line + contextLines) },
  };
}

/** A frame of the runtime or of an installed package: no lines around it. */
export function foreignFrame(file: string, line: number, name: string): Frame {
  return { file, line, column: 5, in_app: false, function: name };
}

/** An exception whose printed stack agrees with its frames. */
export function exception(
  type: string,
  message: string,
  frames: readonly Frame[],
  properties: Record<string, unknown> = {},
): Exception {
  const printed = frames.map(({ function: name, file, line, column }) =>
    name === undefined ? `    at ${file}:${line}:${column}` : `    at ${name} (${file}:${line}:${column})`,
  );
  return { type, message, stack: [`${type}: ${message}`, ...printed].join("\n"), frames: [...frames], properties };
}

/** An outgoing request so many milliseconds before the error. */
export function call(secondsBefore: number, data: Record<string, unknown>): Breadcrumb {
  const timestamp = new Date(Date.parse(at) - secondsBefore * 1_000).toISOString();
  return { timestamp, category: "http", level: "info", data };
}

export interface Reported {
  readonly exceptions: readonly Exception[];
  readonly breadcrumbs?: readonly Breadcrumb[];
  readonly mechanism?: TelemetryEvent["mechanism"];
  readonly request?: TelemetryEvent["request"];
  readonly trace?: TelemetryEvent["trace"];
}

/** An event as the gateway stores it. */
export function reportedEvent({ exceptions, breadcrumbs, mechanism, request, trace }: Reported): TelemetryEvent {
  return {
    id: "0197a9d0-0000-7000-8000-000000000001",
    seq: 7,
    type: "exception",
    timestamp: at,
    level: "error",
    message: `${exceptions[0]?.type}: ${exceptions[0]?.message}`,
    mechanism: mechanism ?? { type: "express", handled: true },
    exceptions: [...exceptions],
    ...(breadcrumbs ? { breadcrumbs: [...breadcrumbs] } : {}),
    ...(request ? { request } : {}),
    ...(trace ? { trace } : {}),
  };
}

/** The event as an investigation gets it. */
export function eventSubject(event: TelemetryEvent, service = "orders"): InvestigationSubject {
  return {
    incident: { id: "inc_1", service, env: "PROD", fingerprint: "v1:0123456789abcdef" },
    input: {
      kind: "event",
      event,
      service,
      env: "PROD",
      release: "1.4.2",
      instance: "instance-1",
      receivedAt: at,
      files: [],
      notRead: [],
      host: { name: "host-1", pid: 1, runtime: { name: "node", version: "22.0.0" }, os: "linux", arch: "x64" },
    },
  };
}
