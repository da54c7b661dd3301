import type { Signature } from "../../findings.ts";

const url = "https://www.rfc-editor.org/rfc/rfc9110#section-15";

export const http: readonly Signature[] = [
  {
    id: "http.server-error",
    category: "upstream-bad-response",
    match: {
      message:
        /(?:status(?: code)?:?|HTTP(?:\/\d\.\d)?|responded(?: with)?|answered(?: with)?|returned)[ :=]{1,2}(?<status>50[0234])\b/i,
    },
    meaning: "The service that was asked answered {status}: it failed, or its proxy could not reach it.",
    seenIfTrue: "the other service logs an error for the same request",
    seenIfFalse: "the other service logs success, and something between rewrote the answer",
    shortTerm: "Look at the other service's errors at that time; repeat idempotent requests with back-off.",
    longTerm: "Check the status before reading the body, with a fallback for what can do without.",
    url,
  },
  {
    id: "http.client-error",
    category: "data-validation",
    match: {
      message:
        /(?:status(?: code)?:?|HTTP(?:\/\d\.\d)?|responded(?: with)?|answered(?: with)?|returned)[ :=]{1,2}(?<status>4(?:00|04|05|06|09|10|13|15|22))\b/i,
    },
    meaning: "The service that was asked refused the request with {status}.",
    seenIfTrue: "the body of the answer says which part of the request it refuses",
    seenIfFalse: "the same request succeeds when repeated",
    shortTerm: "Read the answer's body, and correct the request.",
    longTerm: "Check the request against the other side's schema in a contract test.",
    url,
  },
  {
    id: "http.hang-up",
    category: "network-unreachable",
    match: { message: /(?:socket hang up|other side closed|Premature close|aborted by the (?:server|peer))/ },
    meaning: "The other side closed the connection before the answer was complete.",
    seenIfTrue: "the other side restarted, crashed or closed an idle connection at that second",
    seenIfFalse: "the other side logs a complete answer",
    shortTerm: "Repeat idempotent requests once, and look for restarts of the other side.",
    longTerm: "Keep this side's idle timeout below the other's keep-alive timeout.",
    url: "https://nodejs.org/api/http.html#class-httpclientrequest",
  },
  {
    id: "http.headers-sent",
    category: "concurrency",
    match: { code: ["ERR_HTTP_HEADERS_SENT", "ERR_STREAM_WRITE_AFTER_END"] },
    meaning: "The answer was sent twice: two paths of the handler both end it.",
    seenIfTrue: "the handler goes on after it has answered (a missing `return`)",
    seenIfFalse: "the handler answers in one place only",
    shortTerm: "Return after each answer.",
    longTerm: "Let handlers return a value, and answer in one place.",
    url: "https://nodejs.org/api/errors.html#err_http_headers_sent",
  },
  {
    id: "http.fetch-failed",
    category: "network-unreachable",
    match: { type: ["TypeError", ""], message: /^fetch failed/ },
    meaning: "fetch could not get an answer; its cause says why.",
    seenIfTrue: "the cause names an errno, DNS or TLS failure",
    seenIfFalse: "an answer with a status was received",
    shortTerm: "Read the cause of the error: it names the address and the failure.",
    longTerm: "Log the cause with every failed fetch, and check addresses when the process starts.",
    url: "https://github.com/nodejs/undici/blob/main/docs/docs/api/Fetch.md",
  },
];
