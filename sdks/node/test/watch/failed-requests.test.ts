import { describe, expect, it } from "vitest";
import type { RequestContext } from "../../src/core/request-context.ts";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { FailedRequests } from "../../src/watch/failed-requests.ts";

const request = (url: string, method = "GET"): RequestContext => ({
  ...{ incoming: { method, url, headers: {} }, startedAt: 0, route: () => undefined },
});
const job = (name: string): RequestContext => ({
  ...{ incoming: undefined, attributes: { job: name }, startedAt: 0, route: () => undefined },
});

function failedWith(...contexts: readonly RequestContext[]): FailedRequests {
  const failed = new FailedRequests();
  for (const context of contexts) failed.add(context);
  return failed;
}

describe("the requests that failed", () => {
  it("are known by their method and path, and jobs by their name", () => {
    const failed = failedWith(request("/orders/7?at=1"), job("bill"));
    expect(failed.has(request("/orders/7?at=2"))).toBe(true);
    expect(failed.has(request("/orders/7", "POST"))).toBe(false);
    expect(failed.has(request("/orders/8"))).toBe(false);
    expect([failed.has(job("bill")), failed.has(job("ship"))]).toEqual([true, false]);
  });

  it("are like those that differ only in numbers", () => {
    const failed = failedWith(request("/orders/7/items"));
    expect(failed.hasLike(request("/orders/p12/items"))).toBe(true);
    expect(failed.hasLike(request("/orders/7/notes"))).toBe(false);
    expect(failed.hasLike(request("/carts/7/items"))).toBe(false);
  });

  it("may be any while none is known", () => {
    expect([failedWith().has(request("/")), failedWith().hasLike(request("/"))]).toEqual([false, true]);
  });

  it("are the last ones", () => {
    const all = Array.from({ length: sdkLimits.watchFailedMax + 1 }, (_, at) => request(`/orders/${at}`));
    const failed = failedWith(...all.slice(0, -1));
    expect(failed.has(request("/orders/0"))).toBe(true);
    failed.add(request("/orders/0"));
    failed.add(request(`/orders/${all.length - 1}`));
    expect([failed.has(request("/orders/0")), failed.has(request("/orders/1"))]).toEqual([true, false]);
  });
});
