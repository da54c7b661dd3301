import type { Signature } from "../../findings.ts";

export const async: readonly Signature[] = [
  {
    id: "async.promise-as-value",
    category: "missing-await",
    match: {
      message: [
        '"[object Promise]"',
        "'[object Promise]'",
        "[object Promise]",
        "Received an instance of Promise",
        "Received Promise {",
        "object Promise is not iterable",
        "Objects are not valid as a React child (found: [object Promise])",
        "returned a Promise instead of",
        "Promise { <pending> }",
      ],
    },
    meaning: "A promise was used where its value is meant: an `await` is missing.",
    seenIfTrue: "the value at that line is a Promise, made by a call of an async function",
    seenIfFalse: "the value is resolved before it is used",
    shortTerm: "Put `await` before the call that makes the value.",
    longTerm: "Type-check the code, and turn on the lint rules `no-floating-promises` and `no-misused-promises`.",
    url: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Operators/await",
  },
  {
    id: "async.coroutine-as-value",
    category: "missing-await",
    match: {
      message: [
        "coroutine '{name}' was never awaited",
        "'coroutine' object is not {what}",
        "'coroutine' object has no attribute '{what}'",
        "object coroutine can't be used",
        "cannot unpack non-iterable coroutine object",
        "Object of type coroutine is not",
      ],
    },
    meaning: "A coroutine was used where its value is meant, or never run: an `await` is missing.",
    seenIfTrue: "the call is of an `async def` function, without `await`",
    seenIfFalse: "the value is awaited before it is used",
    shortTerm: "Put `await` before the call of {name}.",
    longTerm: "Run with `PYTHONASYNCIODEBUG=1` in tests, and let the type checker report unused coroutines.",
    url: "https://docs.python.org/3/library/asyncio-dev.html#detect-never-awaited-coroutines",
  },
  {
    id: "async.event-loop",
    category: "missing-await",
    match: {
      code: ["SynchronousOnlyOperation"],
      message: [
        "This event loop is already running",
        "There is no current event loop in thread",
        "asyncio.run() cannot be called from a running event loop",
        "got Future {future} attached to a different loop",
        "Event loop is closed",
        "You cannot call this from an async context - use a thread or sync_to_async",
      ],
    },
    meaning:
      "Synchronous and asynchronous code are mixed: an event loop is started inside another, or used after its end or from another thread.",
    seenIfTrue: "the call runs inside a handler that is itself asynchronous, or a client outlives its loop",
    seenIfFalse: "one loop runs for the whole process",
    shortTerm:
      "Await the coroutine instead of `asyncio.run`, and make clients inside the loop that uses them; in Django wrap the call with `sync_to_async`.",
    longTerm: "Keep one entry point that starts the loop.",
    url: "https://docs.python.org/3/library/asyncio-runner.html",
  },
  {
    id: "async.parallel-query",
    category: "missing-await",
    match: {
      code: ["ClientClosedError", "MongoNotConnectedError", "MongoTopologyClosedError"],
      message: [
        "Connection already closed",
        "Cannot use a pool after calling end on the pool",
        "Client was closed and is not queryable",
        "^Connection terminated$",
        "Cannot enqueue Query after invoking quit",
        "Can't add new command when connection is in closed state",
        "Topology is closed",
        "Driver has already been closed",
        "Transaction query already complete",
        "another operation is in progress",
        "Client has already been connected",
        "The client is closed",
      ],
    },
    meaning:
      "A query came after its connection or transaction was closed: mostly a missing `await` lets the closing run first.",
    seenIfTrue: "the code closes (or commits) while calls it did not await are still running",
    seenIfFalse: "every query is awaited, and the server closed the connection",
    shortTerm: "Await all queries before the connection, transaction or pool is closed.",
    longTerm: "Turn on the lint rule `no-floating-promises`, and close pools only when the process ends.",
    url: "https://node-postgres.com/features/pooling",
  },
];
