import { limits } from "@whence/protocol/limits";
import { describe, expect, it } from "vitest";
import { type Breadcrumb, BreadcrumbRing, joinTrails } from "../../src/core/breadcrumbs.ts";

const breadcrumb = (timestamp: number): Breadcrumb => ({ timestamp, category: "test", settled: true });
const ringOfLength = (length: number, from = 0): BreadcrumbRing => {
  const ring = new BreadcrumbRing();
  for (let at = from; at < from + length; at++) ring.add(breadcrumb(at));
  return ring;
};
const times = ({ breadcrumbs }: { breadcrumbs: readonly Breadcrumb[] }): number[] =>
  breadcrumbs.map(({ timestamp }) => timestamp);

describe("the breadcrumbs", () => {
  it("are all kept when there are 100", () => {
    expect(times(ringOfLength(100).trail())).toEqual(Array.from({ length: 100 }, (_, at) => at));
  });

  // requirement: limits.breadcrumbs-100
  it("are the newest 100 when the 101st arrives", () => {
    expect(limits.breadcrumbsMax).toBe(100);
    expect(times(ringOfLength(101).trail())).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  });

  it("are shared by events until a new one is added", () => {
    const ring = ringOfLength(3);
    const first = ring.trail();
    expect(ring.trail()).toBe(first);
    ring.add(breadcrumb(3));
    expect(times(ring.trail())).toEqual([0, 1, 2, 3]);
    expect(times(first)).toEqual([0, 1, 2]);
  });

  it("don't change in a trail when an outgoing request is answered later", () => {
    const ring = new BreadcrumbRing();
    const call: Breadcrumb = { timestamp: 0, category: "http", data: { url: "http://a" }, settled: false };
    ring.add(call);
    const before = ring.trail();
    ring.settle(call, { data: { url: "http://a", status_code: 200 } });
    expect(before.breadcrumbs[0]?.data).toEqual({ url: "http://a" });
    expect(ring.trail().breadcrumbs[0]?.data).toEqual({ url: "http://a", status_code: 200 });
  });

  it("of a request follow those that the process had when the request began", () => {
    const joined = joinTrails(ringOfLength(6).trail(), 3, ringOfLength(2, 4).trail());
    expect(times(joined)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("of a request are limited to 100 together with the process's, its own newest kept", () => {
    const joined = joinTrails(ringOfLength(100).trail(), 99, ringOfLength(40, 100).trail());
    expect(times(joined)).toEqual(Array.from({ length: 100 }, (_, at) => at + 40));
  });
});
