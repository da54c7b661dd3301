import type { Location } from "@whence/protocol";
import { evidenceText } from "../signals/fact.ts";
import { exitText } from "../signals/facts/exit-link.ts";
import { exitReason } from "../signals/facts/exit-reason.ts";
import { gapText } from "../signals/gap.ts";
import { inlineCode, placeText, shortCode } from "../words/prose.ts";
import { nameOf } from "../words/release-names.ts";
import { analysis } from "./messages/analysis.ts";
import { chosenText } from "./messages/chosen.ts";
import { confidence } from "./messages/confidence.ts";
import { doubts } from "./messages/doubts.ts";
import { headline } from "./messages/headline.ts";
import { impact } from "./messages/impact.ts";
import { linkText } from "./messages/link-text.ts";
import { patch } from "./messages/patch.ts";
import { checks, watches } from "./messages/predictions.ts";
import { steps } from "./messages/steps.ts";
import { whereToLook } from "./messages/where-to-look.ts";

/** Every string that a report can contain, made from kinds and arguments. Only people read them; no code does. */
export const english = {
  analysis,
  checks,
  confidence,
  doubts,
  evidence: evidenceText,
  headline,
  impact,
  patch,
  steps,
  watches,
  whereToLook,
  chosen: chosenText,
  gap: gapText,
  place: placeText,
  /** Through other calls, too. */
  calledFrom: (place: Location): string => `in a call from ${placeText(place)}`,
  /**
   * `isValue`: the place that failed names the value; otherwise it only depends on it. `failed` is null where what failed
   * was already said.
   */
  comesFrom: (failed: string | null, isValue: boolean, code: string, place: Location): string => {
    const from = `${inlineCode(shortCode(code))} at ${placeText(place)}`;
    if (isValue) return `${failed === null ? "" : `${failed}; `}the value comes from ${from}`;
    return `${failed === null ? "the failure" : `${failed}; it`} depends on ${from}`;
  },
  link: linkText,
  noun: inlineCode,
  releaseName: nameOf,
  ended: exitText,
  exitReason,
};

/** A table of messages, one per language. */
export type Messages = typeof english;
