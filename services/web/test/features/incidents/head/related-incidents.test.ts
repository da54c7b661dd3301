import { describe, expect, it } from "vitest";
import {
  relatedBy,
  relatedIncidents,
  similarIncidents,
} from "../../../../src/features/incidents/head/related-incidents.ts";
import { noon, sampleEvidence, sampleSummary } from "../../../samples.ts";

const similar = { id: "inc_7", title: "Pool exhausted", at: noon, likeness: "similar message", category: "timeout" };

describe("related incidents", () => {
  it("are those that the report compares with, by their titles", () => {
    const evidence = [sampleEvidence({ excerpt: JSON.stringify(similar) }), sampleEvidence({ excerpt: "not JSON" })];
    expect(similarIncidents(evidence)).toEqual([
      { id: "inc_7", title: "Pool exhausted", at: noon, relation: "Similar message" },
    ]);
  });

  it("are listed ones of the same failure, and others of the service", () => {
    const listed = sampleSummary({ id: "inc_2", fingerprint: "v1:1", service: "shop" });
    expect(relatedBy(listed, { fingerprint: "v1:1" }).relation).toBe("Same failure");
    expect(relatedBy(listed, { fingerprint: "v1:2" }).relation).toBe("Also in shop");
    const text = sampleSummary({ fingerprint: null, service: "shop" });
    expect(relatedBy(text, { fingerprint: null }).relation).toBe("Also in shop");
  });

  it("are shown once, as the first list has them, without the incident itself, up to a number", () => {
    const one = (id: string, relation: string) => ({ id, title: id, at: noon, relation });
    const lists = [
      [one("a", "Same failure"), one("self", "Same failure")],
      [one("a", "Also"), one("b", "Also")],
    ];
    expect(relatedIncidents({ id: "self" }, lists, 2)).toEqual([one("a", "Same failure"), one("b", "Also")]);
    expect(relatedIncidents({ id: "self" }, lists, 1)).toHaveLength(1);
    expect(relatedIncidents({ id: "self" }, [[one("self", "Same failure")], []], 5)).toEqual([]);
  });
});
