import type { SharedReport } from "@whence/protocol";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { SharedReportView } from "../../../src/features/shared-reports/components/shared-report.tsx";
import { shownText } from "../../shown-text.ts";

const at = "2026-03-01T12:00:01.397Z";
const solution = { title: `Roll back what came at ${at}`, detail: "`2026-03-01T12:00:01.397Z` is the argument." };
const report: SharedReport = {
  ...{ title: "It failed", severity: "high", state: "open", service: "shop", env: null },
  ...{ created_at: at, expires_at: at, confidence: "78% likely to be the right file." },
  root_cause: { summary: `Release 2 broke it at ${at}.`, category: "null-dereference", service: null, location: null },
  chain: [
    { what: "it started", service: "shop", release: "2", location: null, at },
    { what: "It failed", service: null, release: null, location: null, at },
  ],
  ...{ do_now: [solution], prevent: [], not_checked: [`Traces after ${at}`] },
  impact: { events: 2, first_seen: at, last_seen: at, services: [], releases: [] },
};

describe("the times of a shared report", () => {
  const element = createElement(SharedReportView, { report });
  const withoutCode = shownText(element).replace(/`?2026-03-01T12:00:01\.397Z`? is the argument/, "");

  it("are those of the reader, without milliseconds, in its texts too", () => {
    expect(withoutCode).not.toContain(".397");
    expect(withoutCode.match(/\d\d:00:01 \S+ on Mar 1/g)).toHaveLength(9);
  });

  it("have milliseconds and the date on hover", () => {
    const titles = [...renderToStaticMarkup(element).matchAll(/<time [^>]*title="([^"]+)"/g)].map(([, title]) => title);
    expect(titles).toHaveLength(9);
    for (const title of titles) expect(title).toMatch(/^\d\d:00:01\.397 .* 2026$/);
  });

  it("stay as they are in code", () => {
    expect(renderToStaticMarkup(element)).toContain(`<code>${at}</code>`);
  });
});

describe("a step of a shared report", () => {
  it("begins with a capital letter", () => {
    expect(shownText(createElement(SharedReportView, { report }))).toContain("It started");
  });
});
