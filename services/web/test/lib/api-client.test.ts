import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ApiError, request } from "../../src/lib/api-client.ts";

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

let server: Server;
/** What the service answers next. */
let answer: Answer;
/** What it was sent. */
let received: { method: string; url: string; headers: IncomingMessage["headers"]; body: string };

beforeAll(async () => {
  server = createServer(async (message: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of message) body += String(chunk);
    received = { method: message.method ?? "", url: message.url ?? "", headers: message.headers, body };
    response.writeHead(answer.status ?? 200, { "x-request-id": "req_1", ...answer.headers });
    response.end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  vi.stubGlobal("window", { location: { origin: `http://127.0.0.1:${port}` } });
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await new Promise((closed) => server.close(closed));
});

const schema = z.object({ id: z.string() });

async function refused(answered: Answer): Promise<ApiError> {
  answer = answered;
  const error: unknown = await request(schema, "/api/things").catch((reason: unknown) => reason);
  if (error instanceof ApiError) return error;
  throw new TypeError("it was not refused");
}

describe("a request to the service", () => {
  it("returns the response as parsed by its schema", async () => {
    answer = { body: '{"id":"a","more":1}' };
    expect(await request(schema, "/api/things")).toEqual({ id: "a" });
    expect(received).toMatchObject({ method: "GET", url: "/api/things", body: "" });
    expect(received.headers["content-type"]).toBeUndefined();
  });

  it("sends its body as JSON", async () => {
    answer = { body: '{"id":"a"}' };
    await request(schema, "/api/things", { method: "PUT", body: { name: "é" } });
    expect(received).toMatchObject({ method: "PUT", body: '{"name":"é"}' });
    expect(received.headers["content-type"]).toBe("application/json");
  });

  it("leaves out undefined parameters, and escapes the others", async () => {
    answer = { body: '{"id":"a"}' };
    await request(schema, "/api/things", { query: { search: "a&b", limit: 5, before: undefined } });
    expect(received.url).toBe("/api/things?search=a%26b&limit=5");
  });

  it("is rejected with the service's own words and code, as a sentence", async () => {
    const error = await refused({ status: 409, body: '{"detail":"the name is taken","code":"WHENCE_ERR_TAKEN"}' });
    expect(error).toMatchObject({
      message: "The name is taken.",
      status: 409,
      code: "WHENCE_ERR_TAKEN",
      requestId: "req_1",
      fields: {},
    });
  });

  it("is rejected field by field, each by its name", async () => {
    const detail = [
      { loc: ["body", "name"], msg: "too long", type: "too_long" },
      { loc: ["body", "files", 0], msg: "Value error, not text!", type: "value_error" },
    ];
    const error = await refused({ status: 422, body: JSON.stringify({ detail }) });
    expect(error.fields).toEqual({ name: "Too long.", files: "Not text!" });
    expect(error.message).toBe("The service rejected the request. name: too long; files.0: not text!");
  });

  it("is rejected in the words of the identity library", async () => {
    expect(await refused({ status: 401, body: '{"message":"Invalid password","code":"INVALID"}' })).toMatchObject({
      message: "Invalid password.",
      code: "INVALID",
    });
    expect(await refused({ status: 400, body: '{"message":"Why?"}' })).toMatchObject({ message: "Why?", code: null });
  });

  it("reports the status of a refusal without words, such as a proxy's page", async () => {
    const error = await refused({ status: 502, body: "<html>Bad gateway</html>" });
    expect(error).toMatchObject({ message: "The service answered with status 502 and no reason.", status: 502 });
  });

  it("reports a response that doesn't match the schema, and where", async () => {
    const error = await refused({ body: '{"id":7}' });
    expect(error.message).toMatch(/^\/api\/things returned something this page doesn't understand\. Reload the page\./);
    expect(error.message).toContain("id");
    expect(error).toMatchObject({ status: 200, requestId: "req_1" });
    expect((await refused({ body: "not json" })).status).toBe(200);
  });

  it("has the status 0 when the service can't be reached", async () => {
    answer = { body: "" };
    vi.stubGlobal("window", { location: { origin: "http://127.0.0.1:1" } });
    const error: unknown = await request(schema, "/api/things").catch((reason: unknown) => reason);
    const { port } = server.address() as AddressInfo;
    vi.stubGlobal("window", { location: { origin: `http://127.0.0.1:${port}` } });
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 0, requestId: null });
  });

  it("rejects with the reason of the abort, not as unreachable", async () => {
    const error: unknown = await request(schema, "/api/things", { signal: AbortSignal.abort() }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: "AbortError" });
  });
});
