import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { html, trusted } from "../../src/pages/html.ts";
import { localPath } from "../../src/pages/local-path.ts";
import { markdown } from "../../src/pages/markdown.ts";

describe("a page template", () => {
  it("escapes every value, whatever it is", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(html`<p title="${value}">${value}</p>`.text.match(/[<>"']/g)).toHaveLength(6);
      }),
    );
  });

  it("takes markup, lists of it, numbers and nothing as they are", () => {
    expect(html`${[html`<b>${1}</b>`, trusted("<i>")]}${null}${undefined}`.text).toBe("<b>1</b><i>");
  });
});

describe("markdown of a report", () => {
  it("shows raw HTML as text, loads no image and links only to the web", () => {
    const text = markdown(
      '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> ![pixel](https://evil.example/p.png) [a](javascript:alert(1)) [b](https://ok.example/"x)',
    ).text;
    expect(text).not.toMatch(/<script|<img|javascript:/);
    expect(text).toContain('rel="noopener noreferrer nofollow"');
  });

  it("never makes an element out of HTML that a report quotes", () => {
    const attacks = [
      "<svg onload=alert(1)>",
      "<a href='javascript:alert(1)'>x</a>",
      "<style>*{}</style>",
      "<!-- x -->",
    ];
    fc.assert(
      fc.property(fc.constantFrom(...attacks), fc.string(), (attack, around) => {
        expect(markdown(`${around}\n\n${attack} ${around}`).text).not.toMatch(/<(svg|style|a href='|!--)/);
      }),
    );
  });
});

describe("where signing in leads", () => {
  it("is a path of this site", () => {
    expect(localPath("/incidents/inc_1?tab=x")).toBe("/incidents/inc_1?tab=x");
  });

  it.each(["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "", "\\/evil.example"])(
    "is the front page for %j",
    (path) => expect(localPath(path)).toBe("/"),
  );
});
