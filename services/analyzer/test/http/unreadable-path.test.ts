import Fastify from "fastify";
import { expect, it } from "vitest";
import { answerUnreadablePath } from "../../src/http/error-handler.ts";
import { startTestService } from "../test-service.ts";

it("answers a path that no router can read as one that nobody serves, in the service's own words", async () => {
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
