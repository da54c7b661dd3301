import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RateMinute, rateShape } from "../../src/collectors/change-point.ts";

const at = (index: number): string => new Date(Date.UTC(2026, 2, 1, 0, index)).toISOString();

function minutes(counts: readonly number[], exposure: (index: number) => number = () => 1): RateMinute[] {
  return counts.map((failing, index) => ({ at: at(index), failing, exposure: exposure(index) }));
}

const times = <Value>(length: number, value: Value): Value[] => Array.from({ length }, () => value);

describe("the shape of a rate", () => {
  it("is a step from the minute in which it rose", () => {
    expect(rateShape(minutes([...times(60, 1), ...times(30, 9)]))).toEqual({
      ...{ kind: "step", at: at(60), before: 1, after: 9 },
    });
  });

  it("counts minutes without events: after silence, a failure is a step", () => {
    expect(rateShape(minutes([...times(60, 0), ...times(10, 2)]))).toMatchObject({
      kind: "step",
      at: at(60),
      before: 0,
    });
  });

  it("is steady when nothing changed, however frequent it is", () => {
    expect(rateShape(minutes(times(90, 20)))).toEqual({ kind: "steady", rate: 20 });
    expect(rateShape(minutes(times(90, 0)))).toEqual({ kind: "steady", rate: 0 });
    expect(rateShape([])).toEqual({ kind: "steady", rate: 0 });
  });

  it("needs three times the rate, and five events", () => {
    expect(rateShape(minutes([...times(60, 20), ...times(60, 59)])).kind).toBe("steady");
    expect(rateShape(minutes([...times(60, 20), ...times(60, 60)])).kind).toBe("step");
    expect(rateShape(minutes([...times(600, 0), 4])).kind).toBe("steady");
    expect(rateShape(minutes([...times(600, 0), 5])).kind).toBe("step");
  });

  it("isn't fooled by traffic: twice the processes with twice the failures isn't a change", () => {
    const counts = [...times(60, 3), ...times(60, 30)];
    expect(rateShape(minutes(counts)).kind).toBe("step");
    expect(rateShape(minutes(counts, (index) => (index < 60 ? 1 : 10))).kind).toBe("steady");
  });

  it("distinguishes a spike that is over from a step", () => {
    const shape = rateShape(minutes([...times(60, 1), ...times(10, 40), ...times(60, 1)]));
    expect(shape).toMatchObject({ kind: "spike", at: at(60), until: at(70), after: 40 });
  });

  it("distinguishes slow growth from a step", () => {
    const counts = Array.from({ length: 120 }, (_, index) => Math.round(Math.exp(index / 25)));
    expect(rateShape(minutes(counts)).kind).toBe("growth");
  });

  it("doesn't take bursts for a change", () => {
    const bursts = Array.from({ length: 120 }, (_, index) => (index % 17 === 3 ? 12 : 0));
    expect(rateShape(minutes(bursts)).kind).toBe("steady");
  });

  it("is always in the window and in order, whatever the counts are", () => {
    const anyCounts = fc.array(fc.record({ failing: fc.nat(1_000), exposure: fc.integer({ min: 1, max: 50 }) }));
    fc.assert(
      fc.property(anyCounts, (counts) => {
        const window = counts.map((one, index) => ({ ...one, at: at(index) }));
        const shape = rateShape(window);
        if (shape.kind === "steady") return;
        const places = window.map((one) => one.at);
        expect(places).toContain(shape.at);
        expect(shape.after).toBeGreaterThan(shape.before);
        if (shape.kind === "spike") expect(places.indexOf(shape.until)).toBeGreaterThan(places.indexOf(shape.at));
      }),
    );
  });
});
