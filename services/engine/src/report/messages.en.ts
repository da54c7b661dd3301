import { analysis } from "./messages/analysis.ts";
import { code } from "./messages/code.ts";
import { confidence } from "./messages/confidence.ts";
import { doubts } from "./messages/doubts.ts";
import { evidence } from "./messages/evidence.ts";
import { chosenText, gaps } from "./messages/gaps.ts";
import { headline } from "./messages/headline.ts";
import { impact } from "./messages/impact.ts";
import { links } from "./messages/links.ts";
import { checks, watches } from "./messages/predictions.ts";
import { endReason, endText } from "./messages/process-exits.ts";
import { nameOf } from "./messages/release-names.ts";
import { steps } from "./messages/steps.ts";
import { inlineCode, placeText } from "./prose.ts";

/** Every string that a report can hold, made from kinds and arguments. Nothing reads them but people. */
export const english = {
  analysis,
  checks,
  code,
  confidence,
  doubts,
  evidence,
  gaps,
  headline,
  impact,
  links,
  steps,
  watches,
  chosen: chosenText,
  place: placeText,
  noun: inlineCode,
  releaseName: nameOf,
  ended: endText,
  endReason,
  failing: (): string => "the failure",
};

/** A table of messages; a language is one. */
export type Messages = typeof english;
