import { describe, expect, it } from "vitest";
import { splitCitations } from "../../src/features/incidents/citations.ts";
import { plainText } from "../../src/features/incidents/plain-text.ts";
import { localPath } from "../../src/lib/local-path.ts";
import { parseSearch, stringifySearch } from "../../src/lib/search-text.ts";
import { sentenceTime, shortSpan, zoneName } from "../../src/lib/times.ts";

describe("prose", () => {
  it("is text, citations, and times, in order", () => {
    expect(splitCitations("It broke [e1, e12]. Why [e3]")).toEqual([
      { text: "It broke " },
      { cites: "e1" },
      { cites: "e12" },
      { text: ". Why " },
      { cites: "e3" },
    ]);
    expect(splitCitations("since 2026-11-21T17:27:59.687Z in it")).toEqual([
      { text: "since " },
      { at: "2026-11-21T17:27:59.687Z" },
      { text: " in it" },
    ]);
    expect(splitCitations("[x1] [e] a[0]")).toEqual([{ text: "[x1] [e] a[0]" }]);
  });

  it("is without its markup in a list", () => {
    expect(plainText("`cart` was undefined [e1, e2].")).toBe("cart was undefined.");
  });
});

describe("a time in a sentence", () => {
  const at = new Date(2026, 2, 1, 16, 51, 4);
  const said = (now: Date) => sentenceTime(at.toISOString(), now.getTime());
  const time = `16:51:04 ${zoneName(at)}`;

  it("has no date on the same day", () => {
    expect(said(new Date(2026, 2, 1, 23, 59))).toBe(time);
  });

  it("has the date on another day, and the year in another year", () => {
    const date = at.toLocaleDateString(undefined, { month: "short", day: "numeric" });
    expect(said(new Date(2026, 2, 2))).toBe(`${time} on ${date}`);
    expect(said(new Date(2027, 2, 1))).toBe(`${time} on ${date}, 2026`);
  });
});

describe("the page to open after signing in", () => {
  it.each([
    ["/incidents/inc_1?a=b#e1", "/incidents/inc_1?a=b#e1"],
    ["//evil.example/", "/"],
    ["https://evil.example/", "/"],
    ["/\\evil.example/", "/"],
    ["/.//evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["incidents", "/"],
    ["", "/"],
    [undefined, "/"],
  ])("is a path of this site: %s", (next, path) => {
    expect(localPath(next)).toBe(path);
  });
});

describe("the parameters of a URL", () => {
  it("are text and stay text", () => {
    expect(parseSearch("?search=500&service=true")).toEqual({ search: "500", service: "true" });
    expect(stringifySearch({ search: "a b", service: undefined, env: "" })).toBe("?search=a+b");
    expect(stringifySearch({})).toBe("");
  });
});

describe("a span of time", () => {
  it("is in the largest unit that fits", () => {
    expect([999, 1_000, 59_999, 60_000, 7_200_000, 172_800_000].map(shortSpan)).toEqual([
      ...["999 ms", "1 s", "59 s", "1 min", "2 h", "2 d"],
    ]);
  });
});
