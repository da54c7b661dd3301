import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { splitCitations } from "../../../src/features/incidents/citations.ts";
import { Citations, Cited, Prose } from "../../../src/features/incidents/components/prose.tsx";
import { placeName } from "../../../src/features/incidents/place-name.ts";
import { plainText } from "../../../src/features/incidents/plain-text.ts";
import { sampleEvidence } from "../../samples.ts";
import { shownText, withEvidence } from "../../shown-text.ts";

const evidence = [sampleEvidence({ id: "e1", summary: "the `log` line" })];
const html = (text: string) => renderToStaticMarkup(withEvidence(evidence, createElement(Prose, { text })));

describe("prose in pieces", () => {
  it("is one piece when it cites nothing", () => {
    expect(splitCitations("")).toEqual([]);
    expect(splitCitations("It broke.")).toEqual([{ text: "It broke." }]);
  });

  it("has each citation of a list, with or without a space between them", () => {
    expect(splitCitations("[e1,e2, e3]")).toEqual([{ cites: "e1" }, { cites: "e2" }, { cites: "e3" }]);
  });

  it("recognizes a time with any fraction of a second, and no other form", () => {
    expect(splitCitations("2026-03-01T12:00:00Z")).toEqual([{ at: "2026-03-01T12:00:00Z" }]);
    expect(splitCitations("2026-03-01T12:00:00.123456789Z")).toEqual([{ at: "2026-03-01T12:00:00.123456789Z" }]);
    expect(splitCitations("2026-03-01 12:00")).toEqual([{ text: "2026-03-01 12:00" }]);
  });

  it("is whole again when its pieces are put together", () => {
    const prose = "a [e1] b 2026-03-01T12:00:00Z c [e2, e3].";
    const whole = splitCitations(prose).map((piece) => {
      if ("text" in piece) return piece.text;
      return "at" in piece ? piece.at : `[${piece.cites}]`;
    });
    expect(whole.join("")).toBe("a [e1] b 2026-03-01T12:00:00Z c [e2][e3].");
  });
});

describe("shown prose", () => {
  it("links a citation to its evidence, and names the evidence without marks", () => {
    expect(html("It broke [e1].")).toMatch(/<a href="#e1"[^>]* title="the log line">e1<\/a>/);
  });

  it("shows a citation of missing evidence as text that says so", () => {
    expect(html("[e7]")).toBe('<span title="This evidence isn&#x27;t in the report">[e7]</span>');
  });

  it("shows text between backticks as code, and cites nothing there", () => {
    expect(html("`a[e1]` broke")).toBe("<code>a[e1]</code> broke");
  });

  it("shows markup as text", () => {
    expect(html("<b>broke</b>")).toBe("&lt;b&gt;broke&lt;/b&gt;");
  });

  it("shows an invalid time as written", () => {
    expect(html("2026-13-45T99:00:00Z")).toBe("2026-13-45T99:00:00Z");
  });

  it("keeps backticks where code is marked otherwise", () => {
    expect(shownText(createElement(Cited, { text: "`a`" }))).toBe("`a`");
  });

  it("has the citations of a statement next to each other", () => {
    const shown = shownText(withEvidence(evidence, createElement(Citations, { ids: ["e1", "e9"] })));
    expect(shown.replaceAll(" ", "")).toBe("e1[e9]");
  });
});

describe("plain text", () => {
  it("loses its markup and citations, and the space before them", () => {
    expect(plainText(" `a` broke [e1], and `b` too [e2, e3]. ")).toBe("a broke, and b too.");
  });

  it("keeps brackets that aren't citations", () => {
    expect(plainText("a[0] of [e]")).toBe("a[0] of [e]");
  });
});

describe("the name of a place", () => {
  it("is the file with its line, if known", () => {
    expect(placeName({ file: "a.ts", line: 3 })).toBe("a.ts:3");
    expect(placeName({ file: "a.ts", line: null })).toBe("a.ts");
  });

  it("has an absolute path's last folder only, and all of a path in its repository", () => {
    expect(placeName({ file: "/srv/app/src/cart/a.ts", line: 3 })).toBe("cart/a.ts:3");
    expect(placeName({ file: "file:///srv/app/a.ts", line: 3 })).toBe("app/a.ts:3");
    expect(placeName({ file: "C:\\app\\src\\a.ts", line: 3 })).toBe("src/a.ts:3");
    expect(placeName({ file: "src/cart/total/a.ts", line: 3 })).toBe("src/cart/total/a.ts:3");
  });
});
