import { describe, expect, it } from "vitest";
import { commitUrl, placeUrls } from "../../../../src/features/incidents/code-urls.ts";
import { onCall, outsidePages } from "../../../../src/features/incidents/elsewhere/outside-pages.ts";
import { sampleEvidence } from "../../../samples.ts";

const root = "https://github.com/acme/shop";
const code = [
  {
    ...{ service: "shop", release: "1.0.0", vendor: "GitHub", commit: "3f2a91c" },
    ...{ file_url: `${root}/blob/3f2a91c/`, blame_url: `${root}/blame/3f2a91c/`, commit_url: `${root}/commit/` },
    roots: [{ from: "/srv/shop/", to: "apps/shop/" }],
  },
];

const shop = { service: "shop", release: "1.0.0" };

describe("the pages of a place", () => {
  it("are the file's and its authors', at the line and the release's commit", () => {
    expect(placeUrls(code, shop, { file: "/srv/shop/src/a b.ts", line: 9 })).toEqual({
      vendor: "GitHub",
      file: `${root}/blob/3f2a91c/apps/shop/src/a%20b.ts#L9`,
      blame: `${root}/blame/3f2a91c/apps/shop/src/a%20b.ts#L9`,
    });
    expect(placeUrls(code, shop, { file: "/srv/shop/a.ts", line: null })?.file).toBe(
      `${root}/blob/3f2a91c/apps/shop/a.ts`,
    );
  });

  it("aren't known for another service's file, or one outside of the repository", () => {
    expect(placeUrls(code, { service: "orders" }, { file: "/srv/shop/a.ts", line: 1 })).toBeNull();
    expect(placeUrls(code, shop, { file: "/usr/lib/a.ts", line: 1 })).toBeNull();
    expect(placeUrls([], shop, { file: "/srv/shop/a.ts", line: 1 })).toBeNull();
  });
});

describe("the path of a place in its repository", () => {
  const roots = [
    { from: "", to: "" },
    { from: "/srv/", to: "services/" },
    { from: "/srv/shop/", to: "apps/shop/" },
  ];
  const fileOf = (file: string, release?: string) => {
    const links = code.map((one) => ({ ...one, roots }));
    return placeUrls(links, { service: "shop", ...(release && { release }) }, { file, line: null })?.file;
  };

  it("is found by the longest root that the path begins with", () => {
    expect(fileOf("/srv/shop/a.ts")).toBe(`${root}/blob/3f2a91c/apps/shop/a.ts`);
    expect(fileOf("/srv/a.ts")).toBe(`${root}/blob/3f2a91c/services/a.ts`);
    expect(fileOf("src/a.ts")).toBe(`${root}/blob/3f2a91c/src/a.ts`);
  });

  it("isn't an absolute path, of any system, or one that leads out of a folder", () => {
    for (const file of ["/usr/a.ts", "C:\\srv\\a.ts", "\\\\host\\a.ts", "webpack://shop/a.ts", "node:fs"]) {
      expect([file, fileOf(file)]).toEqual([file, undefined]);
    }
    for (const file of ["../a.ts", "src/../../a.ts", "/srv/shop/..\\a.ts"]) {
      expect([file, fileOf(file)]).toEqual([file, undefined]);
    }
  });

  it("has a page only at the commit of the release that ran", () => {
    expect(fileOf("src/a.ts", "1.0.0")).toBe(fileOf("src/a.ts"));
    expect(fileOf("src/a.ts", "0.9.0")).toBeUndefined();
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
    const member = { ...record, title: "Grace", member_id: "user_grace" };
    expect(onCall([outside("e1", record), outside("e2", issue), outside("e3", member)])).toEqual([
      { who: "Ada Lovelace", vendor: "PagerDuty", memberId: null },
      { who: "Grace", vendor: "PagerDuty", memberId: "user_grace" },
    ]);
  });
});
