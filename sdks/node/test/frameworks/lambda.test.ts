import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whenceLambda } from "../../src/frameworks/lambda.ts";
import { close, init } from "../../src/index.ts";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

const context = { functionName: "orders", awsRequestId: "8f5", getRemainingTimeInMillis: () => 3_000 };
const fail = async (): Promise<never> => {
  throw new Error("no stock");
};

describe("a Lambda function", () => {
  it("that fails has sent its error when its invocation ends, and fails as usual", async () => {
    await expect(whenceLambda(fail)()).rejects.toThrow("no stock");
    expect(gateway.events("exception")).toMatchObject([{ mechanism: { type: "lambda", handled: true } }]);
  });

  it("sends nothing, and waits for nothing, when nothing was recorded", async () => {
    const handler = whenceLambda(async (event: { id: number }, _context: object) => event.id);
    expect(await handler({ id: 7 }, context)).toBe(7);
    expect(gateway.posts).toEqual([]);
    expect(handler.length).toBe(2);
  });

  it.each([
    [
      "of an HTTP API",
      {
        rawPath: "/orders/31",
        routeKey: "GET /orders/{id}",
        headers: { authorization: "s3cret", "x-shop": "north" },
        requestContext: { http: { method: "GET" } },
      },
    ],
    [
      "of a REST API",
      {
        httpMethod: "GET",
        path: "/orders/31",
        resource: "/orders/{id}",
        headers: { authorization: "s3cret", "x-shop": "north" },
      },
    ],
  ])("records the request in an event %s, and the invocation", async (_of, event) => {
    await expect(whenceLambda(async (_event: object, _context: object) => fail())(event, context)).rejects.toThrow();
    expect(gateway.events("exception")).toMatchObject([
      {
        attributes: { lambda: "orders", aws_request_id: "8f5" },
        request: {
          method: "GET",
          path: "/orders/31",
          route: "/orders/{id}",
          headers: { authorization: "[redacted]", "x-shop": "north" },
        },
      },
    ]);
  });

  it("that streams its response names its invocation", async () => {
    const handler = whenceLambda(async (_event: object, _stream: object, _context: object) => fail());
    await expect(handler({}, { write: () => true }, context)).rejects.toThrow();
    expect(gateway.events("exception")).toMatchObject([{ attributes: { lambda: "orders", aws_request_id: "8f5" } }]);
  });

  it("waits for its maximum time at most", async () => {
    const invoke = async (): Promise<number> => {
      const startedAt = performance.now();
      await expect(whenceLambda(fail, { flushTimeoutMs: 50 })()).rejects.toThrow("no stock");
      return performance.now() - startedAt;
    };
    const answeredMs = await invoke();
    gateway.answers.push({ status: 202, afterMs: 60_000 });
    expect(await invoke()).toBeLessThan(answeredMs + sdkLimits.lambdaFlushMs / 2);
  });

  it("waits for nothing just before its deadline", async () => {
    gateway.answers.push({ status: 202, afterMs: 2_000 });
    const late = { ...context, getRemainingTimeInMillis: () => 150 };
    const handler = whenceLambda((_event: object, _context: object) => fail());
    await expect(handler({}, late)).rejects.toThrow("no stock");
    expect(gateway.events("exception")).toEqual([]);
  });

  it("that calls back has sent its error by then", async () => {
    const handler = whenceLambda((_event: object, _context: object, callback: (error: Error) => void) => {
      setTimeout(() => callback(new Error("by callback")), 1);
    });
    expect(handler.length).toBe(3);
    const error = await new Promise<Error>((resolve) => {
      expect(handler({}, context, resolve)).toBeUndefined();
    });
    expect(error.message).toBe("by callback");
    expect(gateway.events("exception")).toMatchObject([{ message: "by callback", attributes: { lambda: "orders" } }]);
  });

  it("is unchanged without a client", async () => {
    await close();
    await expect(whenceLambda(fail)()).rejects.toThrow("no stock");
  });
});
