import type { Signature } from "../../findings.ts";

export const timeouts: readonly Signature[] = [
  {
    id: "timeouts.lock",
    category: "concurrency",
    match: {
      message: /(?:deadlock detected|Deadlock found|[Ll]ock wait timeout|could not serialize access|lock timeout)/,
    },
    meaning: "Two pieces of work wait for each other's locks: a deadlock, or locks taken in different order.",
    seenIfTrue: "the waits come in pairs, and each holds what the other wants",
    seenIfFalse: "one single holder keeps the lock for long, and nobody waits for what it wants",
    shortTerm: "Repeat the piece of work that was refused.",
    longTerm: "Take locks always in the same order (for example sorted by key), and hold them shortly.",
    url: "https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-DEADLOCKS",
  },
  {
    id: "timeouts.abort-signal",
    category: "timeout",
    match: { message: /(?:The operation was aborted due to timeout|The operation timed out)/ },
    meaning: "The time limit that the caller set ran out before the answer came.",
    seenIfTrue: "the call takes as long as the limit each time",
    seenIfFalse: "the call fails well before the limit",
    shortTerm: "Check the limit's value and unit (milliseconds), and how long the other side takes.",
    longTerm:
      "Name limits with their unit, set them from measured latencies, and let the other side know the deadline.",
    url: "https://nodejs.org/api/globals.html#static-method-abortsignaltimeoutdelay",
  },
  {
    id: "timeouts.undici",
    category: "timeout",
    match: { code: ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"] },
    meaning: "The other side did not answer, or did not go on answering, in time.",
    seenIfTrue: "the other side is slow or overloaded at the same time",
    seenIfFalse: "the other side logs a fast answer to the same request",
    shortTerm: "Look at the other side's latency; raise the limit only when its slowness is expected.",
    longTerm: "Set a deadline per call and a circuit breaker, so that a slow dependency does not hold this service.",
    url: "https://github.com/nodejs/undici/blob/main/docs/docs/api/Errors.md",
  },
  {
    id: "timeouts.etimedout",
    category: "timeout",
    match: { code: ["ETIMEDOUT", "ESOCKETTIMEDOUT", "ECONNABORTED", "ERR_SOCKET_CONNECTION_TIMEOUT"] },
    meaning: "The other side did not answer in time.",
    seenIfTrue: "packets to the address are dropped (firewall, overload), and every attempt takes the full limit",
    seenIfFalse: "attempts are refused at once",
    shortTerm: "Check whether the address is reachable from this host and whether the other side is overloaded.",
    longTerm: "Set a limit per attempt and a total deadline, and retry idempotent calls with back-off.",
    url: "https://nodejs.org/api/errors.html#common-system-errors",
  },
  {
    id: "timeouts.generic",
    category: "timeout",
    match: {
      message:
        /\b(?:timed out|timeout (?:of|after|exceeded|expired)|[Tt]imeout exceeded|[Rr]equest timeout|deadline exceeded|[Ss]tatement timeout)\b/,
    },
    meaning: "Something was given a limit of time and did not end within it.",
    seenIfTrue: "the duration equals the limit each time",
    seenIfFalse: "the failure comes well before the limit",
    shortTerm: "Find what the time was spent on, and check the limit's value and unit.",
    longTerm: "Measure the operation, and set the limit from its latencies.",
    url: "https://sre.google/sre-book/addressing-cascading-failures/",
  },
];
