import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { incidentLinksQuery } from "../../../src/features/incidents/api/get-links.ts";
import { noon, sampleIncident } from "../../samples.ts";

const keyOf = (changes: Parameters<typeof sampleIncident>[0]) => incidentLinksQuery(sampleIncident(changes)).queryKey;
const refined = (version: number) => ({ version, refining: true, refined_at: noon, refined_until: noon });

describe("what belongs to an incident elsewhere", () => {
  it("is read again for each report, which may name other code", () => {
    const client = new QueryClient();
    const before = { alerts: [], conversations: [], code: [], code_hosts: [] };
    client.setQueryData(keyOf({ status: "investigating", completed_at: null }), before);
    const reported = { status: "completed", completed_at: noon } as const;
    expect(client.getQueryData(keyOf(reported))).toBeUndefined();
    client.setQueryData(keyOf({ ...reported, refinement: refined(1) }), before);
    expect(client.getQueryData(keyOf({ ...reported, refinement: refined(1) }))).toBe(before);
    expect(client.getQueryData(keyOf({ ...reported, refinement: refined(2) }))).toBeUndefined();
  });
});
