import { isPromise } from "node:util/types";
import { currentClient } from "../core/current-client.ts";
import type { IncomingRequest } from "../core/request-context.ts";
import { readProperty } from "../runtime/read-property.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { likeOriginal } from "./like-original.ts";
import { recordFailure } from "./route-failure.ts";
import { type Job, runJob } from "./run-job.ts";

/** Options of {@link whenceLambda}. */
export interface LambdaOptions {
  /** How long an invocation waits at its end for its events to arrive, in milliseconds. @default 2000 */
  readonly flushTimeoutMs?: number | undefined;
}

type Callback = (error?: unknown, result?: unknown) => void;

/**
 * Wraps the handler of an AWS Lambda function, `async` or with a callback. Each invocation is a separate unit of work;
 * its error is recorded and passed on. An invocation that recorded something ends once its events have arrived, because
 * Lambda freezes a function that has responded, but no later than `flushTimeoutMs` or just before its deadline.
 */
export function whenceLambda<This, Arguments extends unknown[], Result>(
  handler: (this: This, ...args: Arguments) => Result,
  { flushTimeoutMs = sdkLimits.lambdaFlushMs }: LambdaOptions = {},
): (this: This, ...args: Arguments) => Result {
  const wrapper = function (this: This, ...args: Arguments): Result {
    if (!currentClient()) return handler.apply(this, args);
    const [event, ...others] = args;
    // The third argument when the handler streams its response.
    const context = others.find((other) => readProperty(other, "awsRequestId") !== undefined);
    const flush = (): Promise<unknown> | undefined => flushWithin(Math.min(flushTimeoutMs, remainingMs(context)));
    const given = args.map((value, index) => (index === 2 && isCallback(value) ? flushFirst(value, flush) : value));
    const ended = settle(() => runJob(jobOf(event, context), () => handler.apply(this, given as Arguments)), flush);
    return ended as Result;
  };
  return likeOriginal(wrapper, handler);
}

/**
 * Returns or throws what `run` does, after the flush if there is something to send: Lambda accepts a promise in either
 * case.
 */
function settle<Result>(run: () => Result, flush: () => Promise<unknown> | undefined): Result | Promise<unknown> {
  try {
    const result = run();
    return isPromise(result) ? result.finally(flush) : result;
  } catch (error) {
    const flushed = flush();
    if (flushed === undefined) throw error;
    return flushed.then(() => {
      throw error;
    });
  }
}

function flushFirst(callback: Callback, flush: () => Promise<unknown> | undefined): Callback {
  return (error, result) => {
    if (error !== undefined && error !== null) recordFailure("lambda", error, undefined);
    const flushed = flush();
    if (flushed === undefined) callback(error, result);
    else void flushed.then(() => callback(error, result));
  };
}

function isCallback(value: unknown): value is Callback {
  return typeof value === "function";
}

/** Returns undefined when nothing is queued, so that a healthy function isn't delayed. */
function flushWithin(ms: number): Promise<unknown> | undefined {
  const client = currentClient();
  if (!client?.delivery.hasEvents || ms <= 0) return undefined;
  return client.guard(() => client.delivery.deliver(ms), Promise.resolve(false))();
}

/** Returns the time until just before the deadline; unbounded outside of Lambda. */
function remainingMs(context: unknown): number {
  const remaining = readProperty(context, "getRemainingTimeInMillis");
  if (typeof remaining !== "function") return Number.POSITIVE_INFINITY;
  return Number(Reflect.apply(remaining, context, [])) - sdkLimits.lambdaMarginMs;
}

function jobOf(event: unknown, context: unknown): Job {
  const name = readProperty(context, "functionName");
  const id = readProperty(context, "awsRequestId");
  const attributes = {
    ...(typeof name === "string" ? { lambda: name } : {}),
    ...(typeof id === "string" ? { aws_request_id: id } : {}),
  };
  return { kind: "lambda", attributes, ...requestOf(event) };
}

/** Returns the request in an event of API Gateway (REST and HTTP), a function URL, or a load balancer. */
function requestOf(event: unknown): Pick<Job, "incoming" | "route"> {
  const http = readProperty(readProperty(event, "requestContext"), "http");
  const method = readProperty(event, "httpMethod") ?? readProperty(http, "method");
  const url = readProperty(event, "path") ?? readProperty(event, "rawPath");
  if (typeof method !== "string" || typeof url !== "string") return {};
  // "GET /orders/{id}" in one format, "/orders/{id}" in the other.
  const route = readProperty(event, "resource") ?? readProperty(event, "routeKey");
  const pattern = typeof route === "string" ? route.replace(/^[A-Z]+ /, "") : undefined;
  return {
    incoming: { method, url, headers: headersOf(event) },
    ...(pattern?.startsWith("/") ? { route: pattern } : {}),
  };
}

function headersOf(event: unknown): IncomingRequest["headers"] {
  const headers = readProperty(event, "headers") ?? readProperty(event, "multiValueHeaders") ?? {};
  return headers as IncomingRequest["headers"];
}
