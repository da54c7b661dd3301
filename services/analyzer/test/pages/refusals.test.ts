import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const post = (url: string, payload: string | undefined, type?: string) =>
  service.app.inject({
    ...{ method: "POST", url },
    ...(payload === undefined ? {} : { payload }),
    ...(type === undefined ? {} : { headers: { "content-type": type } }),
  });

describe("a page that is asked for in a way nobody meant", () => {
  it.each(["/login?claim=a&claim=b", "/login?next=a&next=b", "/setup?token=a&token=b", "/setup?next=a&next=b"])(
    "says so with 422, and which field it is: GET %s",
    async (url) => {
      const page = await service.app.inject(url);
      expect(page.statusCode).toBe(422);
      expect(page.headers["content-type"]).toContain("text/html");
      expect(page.body).toMatch(/query\.(claim|next|token)/);
    },
  );

  const form = "application/x-www-form-urlencoded";
  it.each<[number, string | undefined, string | undefined]>([
    [422, undefined, undefined],
    [422, "field=a&field=b", form],
    [415, "<login/>", "application/xml"],
    [415, "x", "text/plain"],
    [422, "{", "application/json"],
    [422, "", "application/json"],
    [422, "[]", "application/json"],
    [413, `field=${"x".repeat(2_000_000)}`, form],
  ])("is answered with a page, %i, when a form does not come as one: %#", async (status, payload, type) => {
    for (const [url, field] of [
      ["/login", "email"],
      ["/claim", "claim"],
      ["/setup", "token"],
    ] as const) {
      const page = await post(url, payload?.replaceAll("field", field), type);
      expect([url, page.statusCode]).toEqual([url, status]);
      expect(page.headers["content-type"]).toContain("text/html");
      expect(page.body).toContain("That did not work");
    }
  });
});
