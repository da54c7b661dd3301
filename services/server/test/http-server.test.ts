import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { createApp } from "../src/http-server.ts";

const app = (environment: Record<string, string> = {}) => {
  const created = createApp(readConfig({ WHENCE_LOG_LEVEL: "silent", ...environment }, "all"));
  created.get("/who", async ({ ip }) => ({ ip }));
  return created;
};
const forwarded = { "x-forwarded-for": "203.0.113.9" };

describe("the HTTP server", () => {
  it("answers a path that is no path in the service's words, not the framework's", async () => {
    const answer = await app().inject("/api/incidents/%zz");
    expect([answer.statusCode, answer.json().code]).toEqual([404, "WHENCE_ERR_ROUTE_UNKNOWN"]);
  });

  it("gives every answer its request's id", async () => {
    const answer = await app().inject({ url: "/who", headers: { "x-request-id": "edge-7" } });
    expect(answer.headers["x-request-id"]).toBe("edge-7");
  });

  it("believes nobody about the client's address unless told whom", async () => {
    const asked = async (environment: Record<string, string>) =>
      (await app(environment).inject({ url: "/who", headers: forwarded, remoteAddress: "10.1.2.3" })).json();
    expect(await asked({})).toEqual({ ip: "10.1.2.3" });
    expect(await asked({ WHENCE_TRUSTED_PROXIES: "10.0.0.0/8, 127.0.0.1" })).toEqual({ ip: "203.0.113.9" });
    expect(await asked({ WHENCE_TRUSTED_PROXIES: "192.168.0.0/16" })).toEqual({ ip: "10.1.2.3" });
  });
});
