import Fastify from "fastify";
import { expect, it } from "vitest";
import { answerUnreadablePath } from "../../src/http/error-handler.ts";
import { startTestService } from "../test-service.ts";

it("answers an unreadable path like an unknown one, in the service's own words", async () => {
  const service = await startTestService();
  const app = Fastify({ frameworkErrors: answerUnreadablePath });
  await service.mount(app);
  for (const url of ["/api/incidents/%zz", `/api/incidents/${"x".repeat(200)}`, "/incidents/%"]) {
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ code: "WHENCE_ERR_ROUTE_UNKNOWN", detail: `there is no GET ${url}` });
  }
  await app.close();
  await service.close();
});

it("answers an unknown method like an unknown path, whatever its body", async () => {
  const service = await startTestService();
  const base = await service.app.listen({ port: 0, host: "127.0.0.1" });
  for (const headers of [{}, { "content-type": "application/json" }]) {
    const answer = await fetch(`${base}/api/incidents`, { method: "QUERY", headers, body: Buffer.from("{}") });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "WHENCE_ERR_ROUTE_UNKNOWN" });
  }
  await service.close();
});
