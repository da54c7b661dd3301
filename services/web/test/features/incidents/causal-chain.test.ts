import type { ChainLink } from "@whence/protocol";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CausalChain } from "../../../src/features/incidents/components/causal-chain.tsx";

const chain: readonly ChainLink[] = [
  { what: "payments 2.0.0 <b>deployed</b>", service: "payments", release: "2.0.0", evidence_ids: ["e1"] },
  {
    what: "`formatMoney` reads `currency` of undefined",
    location: { file: "money.ts", line: 9, function: "formatMoney" },
    at: "2026-03-01T12:00:00.000Z",
    evidence_ids: ["e2"],
  },
];
const html = (links: readonly ChainLink[]) => renderToStaticMarkup(createElement(CausalChain, { chain: links }));
const text = (markup: string) => markup.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

describe("the causal chain", () => {
  it("is an ordered list from the origin to the symptom, each link with its place and its evidence", () => {
    const shown = html(chain);
    expect(shown).toMatch(/^<ol [^>]*aria-label="Causal chain, from the origin to the symptom"/);
    expect(shown.match(/<li/g)).toHaveLength(2);
    expect(text(shown)).toMatch(
      /payments 2\.0\.0 &lt;b&gt;deployed&lt;\/b&gt; \[ ?e1 ?\] Origin payments 2\.0\.0 formatMoney reads currency of undefined \[ ?e2 ?\] Symptom money\.ts:9 in formatMoney/,
    );
  });

  it("isn't shown when it is unknown", () => {
    expect(html([])).toBe("");
  });

  it("has neither origin nor symptom when it has one link", () => {
    expect(text(html(chain.slice(0, 1)))).not.toMatch(/Origin|Symptom/);
  });
});
