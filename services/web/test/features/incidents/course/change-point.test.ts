import { describe, expect, it } from "vitest";
import { changePoint } from "../../../../src/features/incidents/course/change-point.ts";

describe("the change of a rate", () => {
  it("is the minute from which there are more events", () => {
    const counts = [...Array.from({ length: 40 }, () => 1), ...Array.from({ length: 20 }, () => 9)];
    expect(changePoint(counts)).toMatchObject({ index: 40, before: 1, after: 9 });
  });

  it("is found where a failure begins, and where it ends", () => {
    expect(changePoint([...Array.from({ length: 50 }, () => 0), 5, 6, 5])).toMatchObject({ index: 50, before: 0 });
    expect(changePoint([5, 6, 5, ...Array.from({ length: 50 }, () => 0)])).toMatchObject({ index: 3, after: 0 });
  });

  it("is null in an even series, in noise, and where hardly anything happens", () => {
    expect(changePoint([])).toBeNull();
    expect(changePoint([3])).toBeNull();
    expect(changePoint(Array.from({ length: 60 }, () => 4))).toBeNull();
    expect(changePoint(Array.from({ length: 60 }, (_, minute) => 3 + (minute % 3)))).toBeNull();
    expect(changePoint([...Array.from({ length: 59 }, () => 0), 1])).toBeNull();
  });
});
