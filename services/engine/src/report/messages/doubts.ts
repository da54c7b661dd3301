import type { TableOf } from "../../findings/kinds.ts";
import type { Observation } from "../../findings/observation.ts";
import { evidenceText } from "../../signals/fact.ts";
import type { DeployFact } from "../../signals/facts/deploy-fact.ts";
import type { ModelFinding } from "../../signals/facts/model-finding.ts";
import { releaseReason } from "../../signals/facts/release-reason.ts";
import { inlineCode } from "../../words/prose.ts";
import { nameOf } from "../../words/release-names.ts";

/** Something that speaks against a candidate. */
export type Doubt =
  | { readonly kind: "source-missing" }
  | { readonly kind: "installed-package" }
  | { readonly kind: "only-time"; readonly service: string }
  | { readonly kind: "only-called"; readonly service: string }
  | { readonly kind: "no-failed-call"; readonly service: string }
  | { readonly kind: "release-ruled-out"; readonly deploy: DeployFact }
  | { readonly kind: "ruled-out-by-model"; readonly finding: ModelFinding }
  | { readonly kind: "call-succeeded"; readonly host: string }
  | { readonly kind: "no-place" }
  | { readonly kind: "seen-otherwise"; readonly observation: Observation };

/** The words for what speaks against a candidate, as clauses. */
export const doubts: TableOf<Doubt, string> = {
  "source-missing": () => "its source wasn't available, so nothing there was checked",
  "installed-package": () => "it is in an installed package, which may only be reporting its caller's mistake",
  "only-time": ({ service }) =>
    `${inlineCode(service)} only failed at about the same time; no call is known to connect the two`,
  "only-called": ({ service }) =>
    `${inlineCode(service)} is called and failed at about the same time; no failed call is known to connect the two`,
  "no-failed-call": ({ service }) => `no failed call leads to ${inlineCode(service)}`,
  "release-ruled-out": ({ deploy }) => `${nameOf(deploy)} is ruled out: it ${releaseReason(deploy)}`,
  "ruled-out-by-model": ({ finding }) => evidenceText({ kind: "model-finding", finding }),
  "call-succeeded": ({ host }) => `the call to ${inlineCode(host)} succeeded`,
  "no-place": () => "the kind of failure is known from the text, but not where in the code it happened",
  "seen-otherwise": ({ observation: { fact } }) => evidenceText(fact),
};
