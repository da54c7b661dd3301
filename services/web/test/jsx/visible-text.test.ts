import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ExternalLink } from "../../src/components/external-link.tsx";
import { Row } from "../../src/components/rows.tsx";
import { Select } from "../../src/components/select.tsx";
import { HowItHappened } from "../../src/features/incidents/report/how-it-happened.tsx";
import { visibleText } from "../../src/jsx/visible-text.ts";
import { sampleReport } from "../samples.ts";

const reversing = ["\u061c", "\u200e", "\u200f", ..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"];
const controls = ["\0", "\b", "\u001b", "\u007f", "\u0085", "\u009f", "\ufeff"];
const spoofed = "\u202etxt.exe\u202c";

const spoofedReport = sampleReport({ chain: [{ what: spoofed, service: spoofed, evidence_ids: [] }] });

const html = (element: ReactElement): string => renderToStaticMarkup(element);

describe("text from outside", () => {
  it.each([...reversing, ...controls])("shows that it contains %j", (character) => {
    expect(visibleText(`a${character}b`)).toBe("a�b");
  });

  it("keeps the characters of every language, line breaks, and tabs", () => {
    const text = "Übersicht\tسلام\r\nשלום 👩‍💻 می‌خواهم";
    expect(visibleText(text)).toBe(text);
  });

  it("is shown like that in rows, facts, labels, links, and options", () => {
    const shown = [
      html(createElement(Row, { title: spoofed, facts: [spoofed, ["by ", spoofed]], actions: spoofed })),
      html(createElement(HowItHappened, { report: spoofedReport })),
      html(createElement(ExternalLink, { href: "https://example.com/", children: spoofed })),
      html(createElement(Select, { label: spoofed, options: [{ value: "a", name: spoofed }] })),
    ];
    for (const markup of shown) expect(markup).toMatch(/^(?!.*\p{Bidi_Control}).*�txt\.exe�/su);
  });

  it("stays unchanged in a value that is sent back", () => {
    const options = [{ value: spoofed, name: spoofed }];
    expect(html(createElement(Select, { label: "Service", options }))).toContain(`value="${spoofed}">�txt.exe�<`);
  });
});
