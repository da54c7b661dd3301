import type { Signature } from "../../findings.ts";

export const resources: readonly Signature[] = [
  {
    id: "resources.emfile",
    category: "resource-exhaustion",
    match: { code: ["EMFILE", "ENFILE"] },
    meaning: "The process has too many files open: the limit of file descriptors is used up.",
    seenIfTrue: "the number of open descriptors of the process grows until the failure",
    seenIfFalse: "the number of open descriptors is far below the limit",
    shortTerm: "Restart the process, and raise the limit (`ulimit -n`) to win time.",
    longTerm: "Close what is opened in a `finally`, and open many files with a bound on how many at once.",
    url: "https://nodejs.org/api/errors.html#common-system-errors",
  },
  {
    id: "resources.enospc",
    category: "resource-exhaustion",
    match: { code: ["ENOSPC", "EDQUOT"] },
    meaning: "The disk, the quota or the number of file watchers is used up.",
    seenIfTrue: "`df` shows the volume full, by bytes or by inodes",
    seenIfFalse: "the volume has room",
    shortTerm: "Free space on the volume.",
    longTerm: "Rotate and bound what is written there, and alert before it is full.",
    url: "https://man7.org/linux/man-pages/man3/errno.3.html",
  },
  {
    id: "resources.enomem",
    category: "resource-exhaustion",
    match: { message: /(?:JavaScript heap out of memory|Reached heap limit|ENOMEM|Array buffer allocation failed)/ },
    meaning: "The process ran out of memory.",
    seenIfTrue: "the heap grows over hours and does not fall after collections",
    seenIfFalse: "the heap is flat, and one single allocation was too large",
    shortTerm: "Restart the process, and raise `--max-old-space-size` if the host has room.",
    longTerm: "Compare two heap snapshots taken an hour apart, and bound the cache or queue that grew.",
    url: "https://nodejs.org/en/learn/diagnostics/memory/using-heap-snapshot",
  },
  {
    id: "resources.pool-timeout",
    category: "resource-exhaustion",
    match: {
      message:
        /(?:timeout exceeded when trying to connect|ResourceRequest timed out|[Tt]im(?:eout|ed out)[^\n]{0,40}(?:acquir|connection from (?:the )?pool|waiting for (?:a )?(?:connection|client|slot))|[Pp]ool (?:is )?(?:exhausted|full|ran dry|empty|timed? ?out)|acquir\w* (?:a )?(?:connection|client|resource)[^\n]{0,30}tim|no (?:free|available|idle) (?:connection|client)s?|connection pool (?:exhausted|timeout))/,
    },
    meaning:
      "No connection of the pool became free in time: all were in use, because some are not released or are held too long.",
    seenIfTrue: "the pool's in-use count stands at its maximum and does not fall when the load does",
    seenIfFalse: "the pool has idle connections when it fails, or the database refuses new ones",
    shortTerm: "Restart the process to free the pool, and release the connection in a `finally` where it is taken.",
    longTerm:
      "Take connections only through a function that releases them on every path, set a statement timeout, and watch the pool's in-use count.",
    url: "https://node-postgres.com/apis/pool",
  },
  {
    id: "resources.too-many-clients",
    category: "resource-exhaustion",
    match: {
      message:
        /(?:too many clients already|remaining connection slots are reserved|Too many connections|max number of clients reached)/,
    },
    meaning: "The server has all its connections in use.",
    seenIfTrue: "the number of connections at the server stands at its limit",
    seenIfFalse: "the server has free connections",
    shortTerm: "End idle connections at the server, and reduce the pools of the clients.",
    longTerm: "Size all pools together below the server's limit, or put a connection pooler between.",
    url: "https://www.postgresql.org/docs/current/errcodes-appendix.html",
  },
  {
    id: "resources.stack-overflow",
    category: "infinite-loop",
    match: { type: ["RangeError", ""], message: /Maximum call stack size exceeded/ },
    meaning: "A function calls itself without end: infinite recursion, a cycle in the data or a missing base case.",
    seenIfTrue: "the same frames repeat on the stack",
    seenIfFalse: "the frames of the stack are all different and the data is very deep",
    shortTerm: "Guard the recursion: stop at values that were seen, or at a depth.",
    longTerm: "Walk the data with a loop and a set of visited values, and test it with input that contains itself.",
    url: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors/Too_much_recursion",
  },
  {
    id: "resources.rate-limit",
    category: "resource-exhaustion",
    match: { message: /(?:\b429\b|Too Many Requests|rate limit(?:ed)? exceeded|quota exceeded)/i },
    meaning: "The other side refuses further requests for now: its rate limit or quota is used up.",
    seenIfTrue: "the answers carry 429 and Retry-After, and stop after a pause",
    seenIfFalse: "the first request after a long pause is refused as well",
    shortTerm: "Wait as long as Retry-After says, and send fewer requests at once.",
    longTerm: "Limit the rate on this side below the agreed quota, and share the budget between instances.",
    url: "https://www.rfc-editor.org/rfc/rfc6585#section-4",
  },
];
