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

/** What markdown is made of, and what is not to get through it. */
const markdownPieces = [
  ...["<kbd>", "</kbd>", "<code>", "<pre>", "<script>", "</script>", "<style>", "<!--", "-->", "<![CDATA[", "<?", "<"],
  ...["<img/src=x/onerror=alert(1)>", "<a href='javascript:1'>", "<https://a.example>", "<a@b.example>", "<x:y>"],
  ...["[a](", ")", "[a]", "[a]: ", "![", "](", '"', "'", "`", "```", "~~~", "``", "**", "_", "~~", "\\", "&lt;", "&"],
  ...["# ", "- ", "1. ", "- [x] ", "> ", "    ", "| a | b |", "|:-|-:|", "---", "===", "javascript:", "mailto:"],
  ...["https://a.example", "www.a.example", "\n", "\n\n", "  \n", "\t", "a", "<br>"],
];

describe("markdown of a report", () => {
  it("shows raw HTML as text, loads no image and links only to the web", () => {
    const text = markdown(
      '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> ![pixel](https://evil.example/p.png) [a](javascript:alert(1)) [b](https://ok.example/"x)',
    ).text;
    expect(text).not.toMatch(/<script|<img|javascript:/);
    expect(text).toContain('rel="noopener noreferrer nofollow"');
  });

  it.each(["kbd", "code", "pre", "script", "style", "textarea"])("shows what follows a raw <%s> as text", (name) => {
    const { text } = markdown(`a <${name}>\n<img/src=x/onerror=alert(1)>\n\nb <${name} x="y">c <img src=x>`);
    expect(text).not.toContain("<img");
    expect(text).not.toContain(`<${name}`);
  });

  it("links to the web and to mailboxes, and to nothing else", () => {
    const linked = (href: string) => markdown(`[text](${href})`).text.includes("<a ");
    expect(["https://a.example", "HTTP://a.example", "mailto:a@b.example"].map(linked)).toEqual([true, true, true]);
    const refused = ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "//a.example", "/x", "#x", "ftp://a"];
    expect(refused.filter(linked)).toEqual([]);
  });

  it("has no other markup than its own, whatever is written", () => {
    const own = new RegExp(
      [
        "</?(?:p|strong|em|del|code|pre|ul|ol|li|blockquote|h[1-6]|table|thead|tbody|tr|th|td)>",
        "<(?:br|hr)>",
        '<code class="language-[^"<>]*">',
        '<ol start="\\d+">',
        '<t[hd] align="(?:left|right|center)">',
        '<input (?:checked="" )?disabled="" type="checkbox">',
        '<a href="(?:https?://|mailto:)[^"<>]*" rel="noopener noreferrer nofollow" target="_blank">',
        "</a>",
      ].join("|"),
      "gi",
    );
    const piece = fc.oneof(
      fc.constantFrom(...markdownPieces),
      fc.string({ unit: "grapheme-ascii", maxLength: 6 }),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        expect(markdown(pieces.join("")).text.replaceAll(own, "")).not.toContain("<");
      }),
      { numRuns: 2_000 },
    );
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

  it.each([
    ...["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "", "\\/evil.example"],
    ...["/.//evil.example/x", "/a/..//evil.com", "/%2e//evil.example", "/.\\/evil.example", "/\t/evil.example"],
    ...["/\n//evil.example", "/a/%2E%2e//evil.example", "///evil.example", " //evil.example"],
  ])("is the front page for %j", (path) => expect(localPath(path)).toBe("/"));

  it("is this site, whatever is asked for", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "/",
        "//",
        "\\",
        ".",
        "..",
        "/./",
        "/../",
        "\t",
        "\n",
        "\r",
        "%2e",
        "%2f",
        "%5c",
        "%09",
        "@",
        ":",
      ),
      fc.constantFrom("evil.example", "https:", "javascript:", "?", "#", "a", "\u0000", "\uff0f", "\u3002"),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.constantFrom("https://here.example", "http://h:4000"),
        (pieces, here) => {
          for (const asked of [pieces.join(""), `/${pieces.join("")}`]) {
            const path = localPath(asked);
            expect(path).toMatch(/^\/(?!\/)/);
            expect(new URL(path, here).origin).toBe(here);
            expect(localPath(path)).toBe(path);
          }
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
