import type { BreadcrumbRecorder } from "../core/breadcrumb-recorder.ts";
import type { EventCapture } from "../core/event-capture.ts";
import type { RequestContexts } from "../core/request-context.ts";
import type { HttpSender } from "../delivery/http.ts";
import type { RequestCounter } from "../process/request-counter.ts";
import type { Guard } from "../runtime/guard.ts";
import type { RequestEvents } from "./request-events.ts";

/** Something that the client watches. */
export interface Instrumentation {
  readonly name: string;
  /** Starts watching; what it returns stops it and leaves no trace. */
  start(recorder: Recorder): () => void;
}

/** What an instrumentation needs: a place to record what it sees, and the request that the running code serves. */
export interface Recorder {
  /** Wraps what runs inside the program's calls, so that no failure of ours reaches it. */
  readonly guard: Guard;
  readonly requests: Pick<RequestContexts, "current" | "open" | "enter" | "answered">;
  readonly requestEvents: Pick<RequestEvents, "follow">;
  readonly breadcrumbs: Pick<BreadcrumbRecorder, "beginCall" | "beginQuery">;
  readonly capture: Pick<EventCapture, "log" | "threadError">;
  /** Counts what the servers of this thread have answered. */
  readonly responses: Pick<RequestCounter, "add">;
  /** Recognizes the client's own requests, which are not recorded. */
  readonly sender: Pick<HttpSender, "owns">;
  /** Whether pino publishes its records, so that a stream of ours must not record them again. */
  pinoPublishes: boolean;
  /** Captures an error that the program did not catch. When the process won't survive it, returns after sending it. */
  captureUncaught(error: unknown, type: "uncaughtException" | "unhandledRejection", survives: boolean): void;
  /** Reports that the process exits, unless it has crashed. */
  exit(code: number): void;
}
