import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../src/config.ts";
import { createApp } from "../src/http-server.ts";

const app = (environment: Record<string, string> = {}) => {
  const created = createApp(readConfig({ WHENCE_LOG_LEVEL: "silent", ...environment }, "all"));
  created.get("/who", async ({ ip }) => ({ ip }));
  created.get<{ Params: { name: string } }>("/services/:name", async ({ params: { name } }) => ({ name }));
  return created;
};
const forwarded = { "x-forwarded-for": "203.0.113.9" };

describe("the HTTP server", () => {
  it("answers an invalid path with the service's message rather than the framework's", async () => {
    const answer = await app().inject("/api/incidents/%zz");
    expect([answer.statusCode, answer.json().code]).toEqual([404, "WHENCE_ERR_ROUTE_UNKNOWN"]);
  });

  it.each(["x", "ü"])("accepts a service's name of 200 characters in a path, and rejects 201: %s", async (unit) => {
    const answered = async (length: number) =>
      (await app().inject(`/services/${encodeURIComponent(unit.repeat(length))}`)).statusCode;
    expect([await answered(200), await answered(201)]).toEqual([200, 404]);
  });

  it("sets the request id on every answer", async () => {
    const answer = await app().inject({ url: "/who", headers: { "x-request-id": "edge-7" } });
    expect(answer.headers["x-request-id"]).toBe("edge-7");
  });

  it("reads a forwarded address without the port that some proxies add", async () => {
    const seen = async (addresses: string) => {
      const headers = { "x-forwarded-for": addresses };
      const proxied = app({ WHENCE_TRUSTED_PROXIES: "10.0.0.0/8" });
      return (await proxied.inject({ url: "/who", headers, remoteAddress: "10.1.2.3" })).json().ip;
    };
    expect(await seen("203.0.113.9:4711")).toBe("203.0.113.9");
    expect(await seen("203.0.113.9:4711, 10.0.0.5:99")).toBe("203.0.113.9");
    expect(await seen("[2001:db8::1]:443")).toBe("2001:db8::1");
    expect(await seen("2001:db8::1")).toBe("2001:db8::1");
  });

  it("trusts no proxy for the client's address unless configured", async () => {
    const asked = async (environment: Record<string, string>) =>
      (await app(environment).inject({ url: "/who", headers: forwarded, remoteAddress: "10.1.2.3" })).json();
    expect(await asked({})).toEqual({ ip: "10.1.2.3" });
    expect(await asked({ WHENCE_TRUSTED_PROXIES: "10.0.0.0/8, 127.0.0.1" })).toEqual({ ip: "203.0.113.9" });
    expect(await asked({ WHENCE_TRUSTED_PROXIES: "192.168.0.0/16" })).toEqual({ ip: "10.1.2.3" });
  });
});

/** Returns the server's answer to raw bytes, read until it closes the connection. */
async function answerTo(sent: string): Promise<{ status: number; body: unknown }> {
  const listening = app();
  onTestFinished(() => listening.close());
  const { port } = new URL(await listening.listen({ port: 0, host: "127.0.0.1" }));
  listening.server.headersTimeout = 1;
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(sent);
  const answer = await text(socket);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), body: JSON.parse(body) };
}

describe("a connection without a valid request", () => {
  it.each([
    ["another protocol", "BREW /pot HTCPCP/1.0\r\n\r\n", 400, "WHENCE_ERR_REQUEST_MALFORMED"],
    ["a request without a host", "GET /who HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "WHENCE_ERR_REQUEST_MALFORMED"],
    ["headers without end", "GET /who HTTP/1.1\r\nHost: a\r\n", 408, "WHENCE_ERR_REQUEST_TIMEOUT"],
    [
      "a large header",
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      431,
      "WHENCE_ERR_HEADERS_TOO_LARGE",
    ],
  ])("is answered like any error: %s", async (_name, sent, status, code) => {
    expect(await answerTo(sent)).toEqual({ status, body: { detail: expect.any(String), code } });
  });
});
