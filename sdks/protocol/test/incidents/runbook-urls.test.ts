import { describe, expect, it } from "vitest";
import { runbookUrls } from "../../src/incidents/runbook-urls.ts";

describe("the runbooks of an alert", () => {
  it("are what its text links to as such, each once", () => {
    const text = "runbook_url: https://wiki/checkout\nsummary: https://other\nRunbook: https://wiki/checkout";
    expect(runbookUrls(text)).toEqual(["https://wiki/checkout"]);
    expect(runbookUrls('{"runbook_url":"https://wiki/a"}')).toEqual(["https://wiki/a"]);
    expect(runbookUrls("no link, javascript: runbook: javascript:alert(1)")).toEqual([]);
  });
});
