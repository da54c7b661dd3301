import fc from "fast-check";
import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { gatewayMetrics } from "../../src/metrics.ts";
import { Load } from "../../src/plugins/load.ts";

async function underWay(registry: Registry): Promise<number[]> {
  const names = ["whence_telemetry_requests_under_way", "whence_telemetry_bytes_under_way"];
  const gauges = await Promise.all(names.map((name) => registry.getSingleMetric(name)?.get()));
  return gauges.map((gauge) => gauge?.values[0]?.value ?? Number.NaN);
}

describe("the tracked load", () => {
  it("is zero again once every client has disconnected, whatever happened after one did", async () => {
    const steps = fc.array(fc.constantFrom("resize", "share", "unshare"), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ bytes: fc.nat(1_000), before: steps, after: steps })), async (requests) => {
        const registry = new Registry();
        const load = new Load(gatewayMetrics(registry));
        for (const { bytes, before, after } of requests) {
          const place = load.enter(bytes);
          if (typeof place === "string") continue;
          const shares: (() => void)[] = [];
          const take = (step: string): void => {
            if (step === "resize") place.resize(bytes * 2);
            else if (step === "share") shares.push(place.share());
            else shares.pop()?.();
          };
          before.forEach(take);
          place.leave();
          after.forEach(take);
          for (const unshare of shares) unshare();
        }
        expect(await underWay(registry)).toEqual([0, 0]);
      }),
    );
  });

  it("says whether an actual size fits, and stays as it is when it doesn't", async () => {
    const registry = new Registry();
    const load = new Load(gatewayMetrics(registry), { bytesMax: 100, requestsMax: 10 });
    const [first, second] = [load.enter(10), load.enter(10)];
    if (typeof first === "string" || typeof second === "string") throw new Error("no place");
    expect([first.resize(90), second.resize(11), second.resize(10)]).toEqual([true, false, true]);
    expect(await underWay(registry)).toEqual([2, 100]);
  });

  it("leaves a quarter of the limits to other organizations", () => {
    const load = new Load(gatewayMetrics(new Registry()), { bytesMax: 100, requestsMax: 8 });
    expect(load.enter(70, "a")).toHaveProperty("leave");
    expect(load.enter(6, "a")).toBe("shed_bytes");
    expect(load.enter(5, "a")).toHaveProperty("leave");
    expect(load.enter(25, "b")).toHaveProperty("leave");
    expect(load.enter(1, "b")).toBe("shed_bytes");
    const many = Array.from({ length: 4 }, () => load.enter(0, "a"));
    expect(many.every((place) => typeof place !== "string")).toBe(true);
    expect(load.enter(0, "a")).toBe("shed_requests");
    expect(load.enter(0, "b")).toHaveProperty("leave");
    expect(load.enter(0, "c")).toBe("shed_requests");
  });

  it("gives an organization its share again once its clients have left", () => {
    const load = new Load(gatewayMetrics(new Registry()), { bytesMax: 100, requestsMax: 8 });
    const place = load.enter(75, "a");
    if (typeof place === "string") throw new Error(place);
    expect(load.enter(1, "a")).toBe("shed_bytes");
    expect(place.resize(74)).toBe(true);
    expect(load.enter(1, "a")).toHaveProperty("leave");
    place.leave();
    expect(load.enter(74, "a")).toHaveProperty("leave");
  });

  it("includes work that continues after its client has disconnected", async () => {
    const registry = new Registry();
    const place = new Load(gatewayMetrics(registry)).enter(10);
    if (typeof place === "string") throw new Error(place);
    place.leave();
    place.resize(70);
    const leave = place.share();
    expect(await underWay(registry)).toEqual([1, 70]);
    leave();
    expect(await underWay(registry)).toEqual([0, 0]);
  });
});
