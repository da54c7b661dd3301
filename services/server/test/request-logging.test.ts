import { Writable } from "node:stream";
import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { requestLogging } from "../src/request-logging.ts";

function logged() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const { logger, ...rest } = requestLogging("info");
  const app = Fastify({ ...rest, logger: { ...logger, stream } });
  app.get("/*", async (request) => ({ id: request.id }));
  return { app, text: () => lines.join("") };
}

describe("the request log", () => {
  it("contains the path, but neither the query nor a header", async () => {
    const { app, text } = logged();
    const headers = { "x-api-key": "whk_secret", cookie: "session=hunter2", authorization: "Bearer hunter3" };
    await app.inject({ url: "/login?claim=whc_secret", headers });
    expect(text()).toContain('"path":"/login"');
    expect(text()).not.toMatch(/whc_secret|whk_secret|hunter/);
  });

  it("links lines by the caller's request id when it is plain", async () => {
    const { app, text } = logged();
    const answer = await app.inject({ url: "/a", headers: { "x-request-id": "edge-1.42_x" } });
    expect(answer.json()).toEqual({ id: "edge-1.42_x" });
    expect(text().match(/"reqId":"edge-1.42_x"/g)?.length).toBe(2);
  });

  it.each(["", "a".repeat(65), 'a"b', "a b", "a\u00e9"])("creates a request id for %j", async (given) => {
    const { app } = logged();
    const { id } = (await app.inject({ url: "/a", headers: { "x-request-id": given } })).json<{ id: string }>();
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});
