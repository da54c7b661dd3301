import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Language } from "../../source/languages/languages.ts";
import { addFrame, type Draft, newDraft } from "../draft.ts";
import type { Stretch } from "../stretch.ts";

const usual =
  /^(?<type>[A-Za-z_$][\w$.]{0,200}(?:Error|Exception|Failure|Exit|Interrupt)|Error)(?: \[(?<code>\w+)\])?: (?<message>.*)$/;

/** A failed test as its runner reports it, on the lines from `first` to `last`. */
interface FailedTest {
  /** Null for what failed outside tests, such as a file that can't be loaded. */
  readonly test: string | null;
  /** The error's lines: its type, if that is printed, its message, and what was expected. */
  readonly said: readonly string[];
  /** Innermost first. */
  readonly frames: readonly ParsedFrame[];
  readonly first: number;
  readonly last: number;
  readonly language: Language;
  /** How its runner prints the error's `type` and `message`, named groups; else as JavaScript and Python do. */
  readonly raised?: RegExp;
  /** The type of an error whose runner prints none; an assertion by default. */
  readonly unnamed?: string;
}

/** Takes the lines of a failed test, and returns its error, with the test's name among its properties. */
export function readFailedTest(
  stretch: Stretch,
  { test, said, frames, first, last, language, raised, unnamed = "AssertionError" }: FailedTest,
): Draft {
  const text = said.join("\n").trim();
  const [head = "", ...rest] = text.split("\n");
  const { type = unnamed, code, message = head } = (raised ?? usual).exec(head)?.groups ?? {};
  const properties = { ...(test === null ? {} : { test }), ...(code === undefined ? {} : { code }) };
  const printed = stretch.span(first, last);
  const draft = newDraft(type, [message, ...rest].join("\n").trim(), printed, { language, properties });
  for (const frame of frames) addFrame(draft, frame);
  stretch.take(first, last);
  return draft;
}

/** Reads what is below each title of a failed test; a title without a failure, as in a list, is passed over. */
export function failuresBelow<Of = Draft>(
  stretch: Stretch,
  title: RegExp,
  read: (index: number, groups: readonly string[]) => Of | null,
): Of[] {
  const drafts: Of[] = [];
  for (let index = 0; index < stretch.length; index++) {
    const found = title.exec(stretch.text(index));
    const draft = found && read(index, found.slice(1));
    if (draft) drafts.push(draft);
  }
  return drafts;
}
