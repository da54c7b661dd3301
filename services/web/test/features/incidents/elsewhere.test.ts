import { describe, expect, it } from "vitest";
import { commitUrl, placeUrls } from "../../../src/features/incidents/code-urls.ts";
import { onCall, outsidePages, runbookUrls } from "../../../src/features/incidents/elsewhere.ts";
import { sampleEvidence } from "../../samples.ts";

const root = "https://github.com/acme/shop";
const code = [
  {
    ...{ service: "shop", release: "1.0.0", vendor: "GitHub", commit: "3f2a91c" },
    ...{ file_url: `${root}/blob/3f2a91c/`, blame_url: `${root}/blame/3f2a91c/`, commit_url: `${root}/commit/` },
    roots: [{ from: "/srv/shop/", to: "apps/shop/" }],
  },
];

describe("the pages of a place", () => {
  it("are the file's and its authors', at the line and the release's commit", () => {
    expect(placeUrls(code, "shop", { file: "/srv/shop/src/a b.ts", line: 9 })).toEqual({
      vendor: "GitHub",
      file: `${root}/blob/3f2a91c/apps/shop/src/a%20b.ts#L9`,
      blame: `${root}/blame/3f2a91c/apps/shop/src/a%20b.ts#L9`,
    });
    expect(placeUrls(code, "shop", { file: "/srv/shop/a.ts", line: null })?.file).toBe(
      `${root}/blob/3f2a91c/apps/shop/a.ts`,
    );
  });

  it("aren't known for another service's file, or one outside of the repository", () => {
    expect(placeUrls(code, "orders", { file: "/srv/shop/a.ts", line: 1 })).toBeNull();
    expect(placeUrls(code, "shop", { file: "/usr/lib/a.ts", line: 1 })).toBeNull();
    expect(placeUrls([], "shop", { file: "/srv/shop/a.ts", line: 1 })).toBeNull();
  });
});

describe("the page of a commit", () => {
  it("is at the code host of its service", () => {
    expect(commitUrl(code, "shop", "cf2e6cc")).toBe(`${root}/commit/cf2e6cc`);
    expect(commitUrl(code, "orders", "cf2e6cc")).toBeNull();
  });
});

describe("what connected systems have", () => {
  const outside = (id: string, data: object, url?: string) =>
    sampleEvidence({
      id,
      source: { kind: "integration", name: "PagerDuty", ...(url === undefined ? {} : { url }) },
      excerpt: JSON.stringify(data),
    });

  it("is linked once, when it has a page", () => {
    const pages = outsidePages([outside("e1", {}, "https://a/1"), outside("e2", {}, "https://a/1"), outside("e3", {})]);
    expect(pages).toEqual([{ vendor: "PagerDuty", url: "https://a/1", summary: "`items` is read" }]);
  });

  it("says who is on call, and no one otherwise", () => {
    const record = { kind: "record", what: "on-call", title: "Ada Lovelace", target: null, at: null };
    const issue = { ...record, what: "issue" };
    expect(onCall([outside("e1", record), outside("e2", issue)])).toEqual([
      { who: "Ada Lovelace", vendor: "PagerDuty" },
    ]);
  });
});

describe("the runbooks of an alert", () => {
  it("are what its text links to as such, each once", () => {
    const text = "runbook_url: https://wiki/checkout\nsummary: https://other\nRunbook: https://wiki/checkout";
    expect(runbookUrls(text)).toEqual(["https://wiki/checkout"]);
    expect(runbookUrls('{"runbook_url":"https://wiki/a"}')).toEqual(["https://wiki/a"]);
    expect(runbookUrls("no link, javascript: runbook: javascript:alert(1)")).toEqual([]);
  });
});
