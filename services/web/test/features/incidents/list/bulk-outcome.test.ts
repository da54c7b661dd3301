import { bulkChangeLimits } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { bulkOutcome } from "../../../../src/features/incidents/list/bulk-outcome.ts";
import { noRoom, selectedIn, toggled } from "../../../../src/features/incidents/list/use-selection.ts";

const changed = (id: string) => ({ id, outcome: "changed" as const });
const refused = (id: string, message: string) => ({ id, outcome: "refused" as const, code: "C", message });

describe("a notice about several incidents", () => {
  it("counts those that have changed, or were so already", () => {
    expect(bulkOutcome("resolve", { results: [changed("1")] })).toEqual({ title: "1 incident resolved" });
    const results = [changed("1"), { id: "2", outcome: "unchanged" as const }];
    expect(bulkOutcome("mute", { results })).toEqual({ title: "2 incidents muted" });
  });

  it("has each reason once", () => {
    expect(bulkOutcome("take", { results: [refused("1", "Merged."), changed("2"), refused("3", "Merged.")] })).toEqual({
      title: "1 incident taken, 2 refused",
      description: "Merged.",
    });
  });
});

describe("a selection", () => {
  it("has an incident that is toggled once, and not one that is toggled twice", () => {
    expect([...toggled(toggled(new Set(["a"]), "b"), "a")]).toEqual(["b"]);
  });

  it("is as large as one request can change, and no larger", () => {
    const ids = Array.from({ length: bulkChangeLimits.incidentsPerChangeMax - 1 }, (_, index) => String(index));
    const full = toggled(new Set(ids), "last");
    expect(full.size).toBe(bulkChangeLimits.incidentsPerChangeMax);
    expect(toggled(full, "more")).toBe(full);
    expect(toggled(full, "last").size).toBe(bulkChangeLimits.incidentsPerChangeMax - 1);
    expect(noRoom.title).toContain(`${bulkChangeLimits.incidentsPerChangeMax} incidents`);
  });

  it("stays while its filter does, and is empty under another one", () => {
    const selected = { ...selectedIn(null, { service: "orders" }), ids: new Set(["a"]) };
    expect(selectedIn(selected, { service: "orders" })).toBe(selected);
    for (const filter of [{}, { service: "payments" }, { service: "orders", sort: "events" as const }])
      expect(selectedIn(selected, filter).ids.size).toBe(0);
  });
});
