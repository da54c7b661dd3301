import type { ChainLink } from "@whence/protocol";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { HowItHappened } from "../../../../src/features/incidents/report/how-it-happened.tsx";
import { shownSteps, untoldSteps } from "../../../../src/features/incidents/report/told-steps.ts";
import { sampleReport } from "../../../samples.ts";
import { shownText } from "../../../shown-text.ts";

const link = (what: string): ChainLink => ({ what, evidence_ids: [] });
const origin = link(
  "`payments` 2.0.0 renamed `amount` to `total` in `body.ts:5` (built from commit `cf2e6cc`), and started",
);
const between = link("a response of `payments` has no `amount`");
const symptom = link("`formatMoney` (`money.ts:9`) reads `currency` of `money`, which is `undefined`");
const root_cause_summary =
  "`payments` 2.0.0 renamed `amount` to `total` in `body.ts:5`. `formatMoney` (`money.ts:9`) reads `currency` of `money`, which is `undefined`. [e1]";

describe("the steps after the cause's sentence", () => {
  it("leave out what that tells, whatever its details and places", () => {
    const told = untoldSteps({ chain: [origin, between, symptom], root_cause_summary });
    expect(told).toEqual([between, symptom]);
  });

  it("keep the last step, which the others lead to", () => {
    expect(untoldSteps({ chain: [origin, symptom], root_cause_summary })).toEqual([symptom]);
  });

  it("are none when the sentence already has the only step", () => {
    expect(untoldSteps({ chain: [symptom], root_cause_summary })).toEqual([]);
    expect(untoldSteps({ chain: [between], root_cause_summary })).toEqual([between]);
  });

  it("begin with a capital letter, unless with a name in code", () => {
    const report = { ...sampleReport(), chain: [between, symptom], root_cause_summary: "unlike" };
    const html = renderToStaticMarkup(createElement(HowItHappened, { report }));
    expect(html).toContain("A response of <code>payments</code>");
    expect(html).toContain("<code>formatMoney</code>");
  });

  it("are five at most, the first and the last ones", () => {
    const five = [1, 2, 3, 4, 5].map((number) => link(String(number)));
    expect(shownSteps(five)).toEqual(five);
    const seven = [...five, link("6"), link("7")];
    expect(shownSteps(seven).map(({ what }) => what)).toEqual(["1", "2", "5", "6", "7"]);
  });
});

describe("how it happened", () => {
  const shownOf = (chain: ChainLink[]) => createElement(HowItHappened, { report: sampleReport({ chain }) });

  it("is a list with the service, the release, and a short path with the whole one on hover", () => {
    const location = { file: "/srv/shop/src/money.ts", line: 9, function: "formatMoney" };
    const element = shownOf([{ ...link("<b>it</b> fails"), service: "shop", release: "1.0.0", location }]);
    expect(shownText(element)).toBe("How it happened <b>it</b> fails shop 1.0.0 src/money.ts:9");
    expect(renderToStaticMarkup(element)).toContain('title="/srv/shop/src/money.ts"');
  });

  it("counts the steps that it doesn't show", () => {
    const six = [1, 2, 3, 4, 5, 6].map((number) => link(String(number)));
    expect(shownText(shownOf(six))).toMatch(/Show 1 more step$/);
  });
});
