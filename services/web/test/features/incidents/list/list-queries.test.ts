import { QueryClient } from "@tanstack/react-query";
import { afterEach, describe, expect, it, vi } from "vitest";
import { incidentHeadQuery } from "../../../../src/features/incidents/api/list-incidents.ts";
import { sampleSummary } from "../../../samples.ts";

afterEach(() => vi.unstubAllGlobals());

/** The service answers each request with the next of these incidents. */
function answerWith(...ids: string[]): void {
  vi.stubGlobal("window", { location: { origin: "http://whence.example" } });
  vi.stubGlobal("fetch", async () => {
    const id = ids.shift();
    return Response.json({ incidents: id === undefined ? [] : [sampleSummary({ id })], next: null });
  });
}

describe("the head of a list", () => {
  it("keeps what it has shown, for each filter apart", async () => {
    answerWith("inc_1", "inc_2", "inc_3");
    const client = new QueryClient();
    await client.fetchQuery(incidentHeadQuery({}));
    expect(Object.keys(await client.fetchQuery(incidentHeadQuery({})))).toEqual(["inc_1", "inc_2"]);
    expect(Object.keys(await client.fetchQuery(incidentHeadQuery({ sort: "events" })))).toEqual(["inc_3"]);
    client.clear();
  });
});
