import type { Signature } from "../../findings.ts";

export const uncaught: readonly Signature[] = [
  {
    id: "uncaught.client-error",
    category: "unhandled-rejection",
    match: { beside: ["ended the process", "^statusCode: 4{rest}"] },
    meaning:
      "An error that was meant as an answer to a client (statusCode 4{rest}) ended the process: it was thrown where the framework does not catch it.",
    seenIfTrue:
      "the request that raised it got no answer, and the handler throws in a callback, a hook or a timer, or is not awaited",
    seenIfFalse: "a handler of the framework caught it and answered",
    shortTerm:
      "Pass the error on (`next(error)`, `reply.send(error)`) or return the promise, so that the framework answers it.",
    longTerm:
      "Write handlers as async functions only, and test that a refused request is answered and the process lives.",
    url: "https://nodejs.org/api/process.html#event-uncaughtexception",
  },
  {
    id: "uncaught.error-event",
    category: "unhandled-rejection",
    match: { beside: ["^thrown in node:events"] },
    meaning:
      "An emitter (a stream, socket or client) failed, nobody listened for its 'error' event, and that ended the process.",
    seenIfTrue: "the line `Emitted 'error' event on …` names an emitter without an 'error' listener",
    seenIfFalse: "a listener is attached before the failure",
    shortTerm: "Listen for 'error' on that emitter where it is made, and end only the work that depended on it.",
    longTerm: "Connect streams with `stream.pipeline`, and test that a peer that goes away does not end the process.",
    url: "https://nodejs.org/api/events.html#error-events",
  },
  {
    id: "uncaught.rejection",
    category: "unhandled-rejection",
    match: { beside: ["^thrown in node:internal/process/promises"] },
    meaning: "A promise was rejected, nobody handled it, and that ended the process.",
    seenIfTrue: "the call that made the promise is not awaited, or awaited outside of any try or catch",
    seenIfFalse: "the rejection is handled, and something else ended the process",
    shortTerm: "Await the call inside a try, or handle its rejection where it is made.",
    longTerm: "Turn on the lint rule `no-floating-promises`.",
    url: "https://nodejs.org/api/process.html#event-unhandledrejection",
  },
  {
    id: "uncaught.rejection-warning",
    category: "unhandled-rejection",
    match: {
      message: [
        "UnhandledPromiseRejectionWarning",
        "PromiseRejectionHandledWarning",
        "Unhandled promise rejection",
        "Possibly Unhandled Rejection",
        "Unhandled Rejection (",
        "Unhandled Rejection at",
      ],
    },
    meaning: "A promise was rejected and nobody handled it.",
    seenIfTrue: "a call of an asynchronous function is not awaited, or its promise has no catch",
    seenIfFalse: "the rejection is handled later on purpose",
    shortTerm: "Await the call, or handle its rejection where it is made.",
    longTerm: "Turn on the lint rule `no-floating-promises`.",
    url: "https://nodejs.org/api/process.html#event-unhandledrejection",
  },
];
