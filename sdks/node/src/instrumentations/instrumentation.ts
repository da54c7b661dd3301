import type { BreadcrumbRecorder } from "../core/breadcrumb-recorder.ts";
import type { EventCapture } from "../core/event-capture.ts";
import type { RequestContexts } from "../core/request-context.ts";
import type { HttpSender } from "../delivery/http.ts";
import type { RequestCounter } from "../process/request-counter.ts";
import type { Guard } from "../runtime/guard.ts";
import type { RequestEvents } from "./request-events.ts";

/** A part of the program that the client watches. */
export interface Instrumentation {
  readonly name: string;
  /** Starts watching. Returns a function that stops it and leaves no trace. */
  start(recorder: Recorder): () => void;
}

/**
 * The part of the client that instrumentations use: a place to record events, and the request that the running code
 * serves.
 */
export interface Recorder {
  /** Wraps code that runs inside the program's calls, so that none of our failures reach the program. */
  readonly guard: Guard;
  readonly requests: Pick<RequestContexts, "current" | "open" | "enter" | "answered">;
  readonly requestEvents: Pick<RequestEvents, "follow">;
  readonly breadcrumbs: Pick<BreadcrumbRecorder, "beginCall" | "beginQuery">;
  readonly capture: Pick<EventCapture, "log" | "threadError">;
  /** Counts the requests that the servers of this thread have answered. */
  readonly responses: Pick<RequestCounter, "add">;
  /** Recognizes the client's own requests, which are not recorded. */
  readonly sender: Pick<HttpSender, "owns">;
  /** Whether pino publishes its records, so that our stream must not record them again. */
  pinoPublishes: boolean;
  /** Captures an error that the program didn't catch. When the process won't survive, returns after sending it. */
  captureUncaught(error: unknown, type: "uncaughtException" | "unhandledRejection", survives: boolean): void;
  /** Reports that the process exits, unless it has crashed. */
  exit(code: number): void;
}
