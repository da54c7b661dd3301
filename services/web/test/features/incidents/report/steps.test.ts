import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Steps } from "../../../../src/features/incidents/report/steps.tsx";
import { sentenceTime } from "../../../../src/lib/times.ts";

describe("the steps of an investigation", () => {
  it("have times like those of other parts of the page, with the zone", () => {
    const at = new Date().toISOString();
    const steps = [{ seq: 1, step: "parse", at, detail: "1 error" }] as const;
    const html = renderToStaticMarkup(createElement(Steps, { steps, isOver: true }));
    expect(html).toContain(`>${sentenceTime(at, Date.now())}</time>`);
  });
});
