import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { addFrame, attach, type Draft, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { readSummary } from "./pytest-summary.ts";
import { tracebacksIn } from "./pytest-tracebacks.ts";
import { isLink, PythonChain } from "./python-chain.ts";

/** Failures as pytest prints them in its own styles, `long`, `auto`, and `short`. Its `native` style is Python's. */
export const pytestFormat: TextFormat = {
  name: "pytest",
  language: "python",
  read(stretch) {
    if (!hasErrorLine(stretch)) return readSummary(stretch, []);
    const failures = new Failures(stretch);
    for (let index = 0; index < stretch.length; index++) failures.pass(index);
    failures.end(stretch.length);
    return [...failures.drafts, ...readSummary(stretch, failures.drafts)];
  },
};

/** `E       KeyError: 'amount'`. */
const errorLine = /^E(?: {2,40}(\S.*))?$/;
/** `shop/prices.py:14: KeyError`, `shop/prices.py:6: in total`, and `shop/prices.py:6:` between two calls. */
const placeLine = /^((?:[A-Za-z]:)?[^\s:][^:]{0,500}\.\w{1,8}):(\d{1,9}):(?: in (.{1,300})| ([A-Za-z_][\w.]{0,200}))?$/;
const failureTitle = /^_{3,200} (.{1,300}) _{3,200}$/;
const sectionTitle = /^={3,200} .{1,300} ={3,200}$|^-{3,200} Captured .{1,80} -{3,200}$/;
const callDivider = /^(?:_ ){5,200}_?$/;
/** The head of a function above the failed line, which pytest marks with `>`. */
const functionHead = /^>? {1,80}(?:async )?def (\w{1,200})\(/;
/** The line of a call or of the error in its function's code. */
const markedLine = /^>\s{1,200}(\S.*)$/;
const raised = /^([A-Za-z_][\w.]{0,200}): (.*)$/;

function hasErrorLine(stretch: Stretch): boolean {
  for (let index = 0; index < stretch.length; index++) if (/^E {2}/.test(stretch.text(index))) return true;
  return false;
}

/** The failures of a run, read line by line: outermost call first, each with its code above or below. */
class Failures {
  readonly drafts: Draft[] = [];
  readonly #stretch: Stretch;
  readonly #chain = new PythonChain();
  #start = 0;
  #frames: ParsedFrame[] = [];
  /** The error as the `E` lines show it. */
  #said: string[] = [];
  /** The lines that it is on. */
  #saidAt: number[] = [];
  /** The name in the title above. */
  #test: string | null = null;
  /** The function whose code is being shown. */
  #function: string | null = null;
  /** The line that is marked in that code. */
  #code: string | null = null;

  constructor(stretch: Stretch) {
    this.#stretch = stretch;
  }

  pass(index: number): void {
    const text = this.#stretch.text(index);
    const error = errorLine.exec(text);
    // A difference begins with a blank line of its own.
    if (error && (error[1] !== undefined || this.#said.length > 0)) {
      this.#said.push(error[1] ?? "");
      this.#saidAt.push(index);
      return;
    }
    this.#code = markedLine.exec(text)?.[1]?.trimEnd() ?? this.#code;
    const place = placeLine.exec(text);
    if (place) this.#addCall(place, index);
    else if (callDivider.test(text)) this.#function = null;
    else if (isLink(text) || failureTitle.test(text) || sectionTitle.test(text)) this.#begin(index, text);
    else if (this.#said.length > 0 && text !== "") this.#begin(index, text);
    else this.#function ??= functionHead.exec(text)?.[1] ?? null;
  }

  /** Ends the current failure before line `index`. */
  end(index: number): void {
    const [first] = this.#said;
    if (first !== undefined && this.#frames.length > 0) this.#add(first, index - 1, null);
    else this.#addPassedOn(null);
    this.#frames = [];
    this.#said = [];
    this.#saidAt = [];
    this.#function = null;
    this.#code = null;
  }

  /** Continues with what line `index` starts: another failure, or the error that followed from the last one. */
  #begin(index: number, text: string): void {
    this.end(index);
    this.#chain.pass(text);
    this.#test = failureTitle.exec(text)?.[1] ?? (sectionTitle.test(text) ? null : this.#test);
    this.#start = index + 1;
  }

  #addCall(place: RegExpExecArray, index: number): void {
    const [, path = "", line, called, type] = place;
    // In the short style the error is below its last call, so a call after it belongs to another failure.
    const [first] = this.#said;
    if (first !== undefined && type === undefined) {
      this.end(index);
      this.#start = index;
    }
    const file = normalizePath(path);
    this.#frames.push({
      function: called === "<module>" ? null : (called ?? this.#function),
      file,
      line: Number(line) || null,
      column: null,
      origin: frameOrigin(file, "python"),
      async: false,
      printed: this.#stretch.span(index),
      context: null,
      ...(this.#code === null ? {} : { code: this.#code }),
    });
    this.#function = null;
    this.#code = null;
    if (first === undefined || type === undefined) return;
    this.#add(first, index, type);
    this.end(index + 1);
    this.#start = index + 1;
  }

  #add(first: string, last: number, type: string | null): void {
    const named = raised.exec(first);
    const rest = this.#said.slice(1).map((line) => line.trim());
    const isNamed =
      named?.[1] !== undefined && (type === null || named[1].split(".").at(-1) === type.split(".").at(-1));
    const draft = newDraft(
      isNamed ? (named[1] ?? "") : (type ?? "AssertionError"),
      [isNamed ? named[2] : first, ...rest].join("\n").trim(),
      this.#stretch.span(this.#start, last),
      { language: "python", ...(this.#test === null ? {} : { properties: { test: this.#test } }) },
    );
    for (const frame of this.#frames.toReversed()) addFrame(draft, frame);
    this.drafts.push(draft);
    this.#chain.add(draft, 0);
    this.#addPassedOn(draft);
    this.#stretch.take(this.#start, last);
    this.#frames = [];
    this.#said = [];
    this.#saidAt = [];
  }

  /** Adds the errors whose tracebacks are the message of another one, as its cause where its calls are known. */
  #addPassedOn(wrapper: Draft | null): void {
    const passedOn = tracebacksIn(this.#stretch, this.#saidAt);
    for (const draft of passedOn) if (wrapper && draft.parent === null) attach(draft, wrapper, "cause");
    this.drafts.push(...passedOn);
    for (const index of passedOn.length > 0 ? this.#saidAt : []) this.#stretch.take(index);
  }
}
