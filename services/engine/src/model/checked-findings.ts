import type { Observation } from "../findings/observation.ts";
import { observeData } from "../findings/observe-input.ts";
import { ofKind } from "../findings/of-kind.ts";
import { isFromModel } from "../signals/fact.ts";
import type { ModelCitation, ModelFinding, ProposedSubject } from "../signals/facts/model-finding.ts";
import type { Gap } from "../signals/gap.ts";
import type { DropReason } from "../signals/gaps/model-statements-dropped.ts";
import { Citable, type CitedFindings } from "./citable.ts";
import { mergedFindings } from "./merged-findings.ts";
import { isProven } from "./proven-words.ts";
import { quotedIn } from "./quoted-in.ts";

/** Observations whose model findings hold, and what was dropped. */
export interface CheckedFindings {
  readonly observations: readonly Observation[];
  readonly dropped: readonly Gap[];
}

/**
 * Keeps of a model's findings those that name something that exists and quote it, each with the quotes that were found
 * and with its words only if these don't go beyond the quotes. Telemetry that a model asked for is left where a finding
 * quotes it.
 */
export function checkedFindings(observations: readonly Observation[], cited: CitedFindings): CheckedFindings {
  const said = ofKind(observations, "model-finding").map(({ fact }) => fact.finding);
  if (said.length === 0) return { observations, dropped: [] };
  const others = observations.filter(({ fact }) => fact.kind !== "model-finding");
  const citable = new Citable(cited, others);
  const checked = said.map((finding) => check(finding, citable));
  const kept = mergedFindings(checked.flatMap(({ kept: finding }) => finding ?? []));
  const why = checked.flatMap(({ dropped }) => dropped ?? []);
  const gap: Gap = { kind: "model-statements-dropped", of: said.length, left: kept.length, dropped: why };
  const quoted = new Set(
    quotedIn(
      kept.flatMap(({ citations }) => citations),
      others,
    ),
  );
  const engines = others.filter((one) => !isFromModel(one.fact) || quoted.has(one));
  return {
    observations: [...engines, ...kept.map((finding) => observeFinding(finding, cited.observedAt))],
    dropped: why.length === 0 ? [] : [gap],
  };
}

/** Returns what a model says as an observation. */
export function observeFinding(finding: ModelFinding, at: string): Observation {
  const source = { kind: "model", name: finding.model } as const;
  return observeData(source, { finding }, { observed_at: at, fact: { kind: "model-finding", finding } });
}

interface Checked {
  readonly kept: ModelFinding | null;
  readonly dropped: DropReason | null;
}

function check(said: ModelFinding, citable: Citable): Checked {
  const none = (dropped: DropReason): Checked => ({ kept: null, dropped });
  if (said.citations.length === 0) return none("no-citation");
  const subject = existing(said.subject, citable);
  if (!subject) return none("no-such-place");
  const citations = said.citations.filter((one) => citable.holds(one));
  if (citations.length === 0) return none("quote-missing");
  if (!citations.some((one) => isAbout(one, subject, citable))) return none("quotes-other");
  const finding = { ...said, subject, citations };
  return isProven(finding, citable.input)
    ? { kept: finding, dropped: null }
    : { kept: { ...finding, sentence: "" }, dropped: "words-unproven" };
}

/** A name in code, with what it is in. */
const path = /^[\w$#<>]+(?:[.:]+[\w$#<>]+)*$/;

/**
 * Returns a place as its source or the stack names it, and a service or release that was seen; null for what doesn't
 * exist. A setting is found by its quotes.
 */
function existing(subject: ProposedSubject, citable: Citable): ProposedSubject | null {
  if (subject.kind === "setting") return subject;
  if (subject.kind !== "place") return citable.knows(subject) ? subject : null;
  const { line, function: name } = subject;
  const source = citable.file(subject.file);
  if (!source) {
    const framed = citable.framed(subject.file, line);
    if (!framed) return null;
    return { ...subject, file: framed.file, function: line === null ? null : framed.frame.function };
  }
  if (line !== null && !source.has(line)) return null;
  return { ...subject, file: source.name, function: name !== null && isNamedIn(name, source.text) ? name : null };
}

/** Returns whether a name is one of code, not a sentence, and its last part is a word of a text. */
function isNamedIn(name: string, text: string): boolean {
  const last = name.split(/[.:#]+/).at(-1) ?? "";
  return path.test(name) && new Set(text.match(/[\w$]+/g)).has(last);
}

/** Returns whether a quote is of the thing itself: code of the file, or a text that names it. */
function isAbout(citation: ModelCitation, subject: ProposedSubject, citable: Citable): boolean {
  if (subject.kind !== "place") return citation.excerpt.includes(nameOf(subject));
  if (citation.kind === "source") return citable.file(citation.file)?.name === subject.file;
  // Without its text, a place is known by the line of the stack that prints it.
  const base = subject.file.slice(subject.file.lastIndexOf("/") + 1);
  return citable.file(subject.file) === null && citation.excerpt.includes(base);
}

function nameOf(subject: Exclude<ProposedSubject, { readonly kind: "place" }>): string {
  if (subject.kind === "setting") return subject.name;
  return subject.kind === "release" ? subject.release : subject.service;
}
