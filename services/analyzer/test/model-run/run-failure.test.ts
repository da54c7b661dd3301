import { APICallError, RetryError } from "ai";
import { describe, expect, it } from "vitest";
import { failureOf, isUnused } from "../../src/model-run/run-failure.ts";

const call = (statusCode?: number, cause?: Error) =>
  new APICallError({
    ...{ message: "failed", url: "http://127.0.0.1", requestBodyValues: {} },
    ...(statusCode !== undefined && { statusCode }),
    cause,
  });
const connecting = (syscall: string) => Object.assign(new Error("refused"), { code: "ECONNREFUSED", syscall });

describe("a failed request to a model", () => {
  it.each([
    ["a wrong key", call(401), "rejected", true],
    ["too many requests", call(429), "rate-limited", true],
    ["a server that fails", call(503), "unavailable", true],
    ["a server that can't be reached", call(undefined, connecting("connect")), "unavailable", true],
    ["a connection that is cut", call(undefined, connecting("read")), "unavailable", false],
    ["an answer that can't be read", call(200), "unreadable", false],
    ["a token that Google refuses", Object.assign(new Error("invalid_grant"), { status: 400 }), "rejected", true],
    ["a stop", new DOMException("stopped", "AbortError"), "too-slow", false],
  ] as const)("with %s is named, and counted only when a model may have worked", (_what, error, why, unused) => {
    expect([failureOf(error), isUnused(error)]).toEqual([why, unused]);
    const again = new RetryError({ message: "again", reason: "maxRetriesExceeded", errors: [error] });
    expect([failureOf(again), isUnused(again)]).toEqual([why, unused]);
  });
});
