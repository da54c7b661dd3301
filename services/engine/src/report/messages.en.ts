import { inlineCode, placeText } from "../words/prose.ts";
import { analysis } from "./messages/analysis.ts";
import { confidence } from "./messages/confidence.ts";
import { doubts } from "./messages/doubts.ts";
import { evidence } from "./messages/evidence.ts";
import { chosenText, gaps } from "./messages/gaps.ts";
import { headline } from "./messages/headline.ts";
import { impact } from "./messages/impact.ts";
import { linkText } from "./messages/link-text.ts";
import { checks, watches } from "./messages/predictions.ts";
import { exitReason, exitText } from "./messages/process-exits.ts";
import { nameOf } from "./messages/release-names.ts";
import { steps } from "./messages/steps.ts";

/** Every string that a report can hold, made from kinds and arguments. Nothing reads them but people. */
export const english = {
  analysis,
  checks,
  confidence,
  doubts,
  evidence,
  gaps,
  headline,
  impact,
  steps,
  watches,
  chosen: chosenText,
  place: placeText,
  link: linkText,
  noun: inlineCode,
  releaseName: nameOf,
  ended: exitText,
  exitReason,
  failing: (): string => "the failure",
};

/** A table of messages; a language is one. */
export type Messages = typeof english;
