import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CodeBlock } from "../../src/components/code-block.tsx";
import { Markdown } from "../../src/components/markdown.tsx";

const queryClient = new QueryClient();

function html(source: string, renderCode?: Parameters<typeof Markdown>[0]["renderCode"]): string {
  const markdown = createElement(Markdown, {
    source,
    renderText: (text) => text.replace("cart", "shop"),
    ...(renderCode ? { renderCode } : {}),
  });
  const markup = renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, markdown));
  return markup.replace(/^<div[^>]*>/, "").replace(/<\/div>$/, "");
}

describe("Markdown from outside", () => {
  it("has its first two levels of headings below the page's own", () => {
    expect(html("# a\n\n## b\n\n### c")).toBe("<h3>a</h3><h3>b</h3><h4>c</h4>");
  });

  it("has emphasis, code, and line breaks", () => {
    expect(html("**a** *b* ~~c~~ `d`  \ne")).toBe(
      "<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code><br/>e</p>",
    );
  });

  it("has lists, including numbered ones with their start", () => {
    expect(html("- a\n- b")).toBe("<ul><li>a</li><li>b</li></ul>");
    expect(html("3. a\n4. b")).toBe('<ol start="3"><li>a</li><li>b</li></ol>');
  });

  it("has tables, quotes, and rules", () => {
    expect(html("| a | b |\n| - | - |\n| 1 | 2 |")).toBe(
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
    );
    expect(html("> a")).toBe("<blockquote><p>a</p></blockquote>");
    expect(html("---")).toBe("<hr/>");
  });

  it("passes plain text to the page, and no code", () => {
    expect(html("cart and `cart`")).toBe("<p>shop and <code>cart</code></p>");
  });

  it("shows its HTML as written", () => {
    expect(html('<img src="x" onerror="alert(1)">')).not.toContain("<img");
    expect(html("a <b>b</b>")).toBe("<p>a &lt;b&gt;b&lt;/b&gt;</p>");
  });

  it("shows images as links, so that nothing is loaded", () => {
    const markup = html("![chart](https://example.com/a.png)");
    expect(markup).not.toContain("<img");
    expect(markup).toMatch(/<a [^>]*href="https:\/\/example\.com\/a\.png"[^>]*>chart/);
  });

  it("has no link to a script", () => {
    expect(html("[a](javascript:alert(1))")).not.toContain("javascript:alert");
  });

  it("passes code to the page, and shows it plainly where the page doesn't recognize it", () => {
    const known = html("```js\n1 | a\n```", ({ text, lang }) => `${lang}: ${text}`);
    expect(known).toBe("js: 1 | a");
    const unknown = html("```\nlet a;\n```", () => null);
    expect(unknown).toContain('aria-label="Code"');
    expect(unknown).toContain("let a;");
  });
});

describe("a block of code", () => {
  const block = (props: Partial<Parameters<typeof CodeBlock>[0]>) =>
    renderToStaticMarkup(
      createElement(
        QueryClientProvider,
        { client: queryClient },
        createElement(CodeBlock, { code: "a\nb", language: "", label: "Code", ...props }),
      ),
    );

  it("has an element per line, without numbers unless its first line has one", () => {
    expect(block({})).not.toContain("data-number");
    expect([...block({ firstLine: 9 }).matchAll(/data-number="(\d+)"/g)].map(([, number]) => number)).toEqual([
      "9",
      "10",
    ]);
  });

  it("marks lines by their number, from 1 when they have none", () => {
    const markedText = (markup: string) => /<mark>(.*?)<\/mark>/.exec(markup)?.[1]?.replaceAll(/<[^>]*>/g, "");
    expect(markedText(block({ marked: new Set([2]) }))).toBe("b");
    expect(markedText(block({ firstLine: 9, marked: new Set([9]) }))).toBe("a");
    expect(markedText(block({ firstLine: 9, marked: new Set([2]) }))).toBeUndefined();
  });

  it("is focusable, because long lines scroll", () => {
    expect(block({})).toMatch(/<section[^>]* aria-label="Code" tabindex="0"/);
  });
});
