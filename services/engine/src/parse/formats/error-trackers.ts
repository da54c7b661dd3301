import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { languageOfFile } from "../../source/languages/languages.ts";
import { addFrame, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import { type Found, readEach, type Stretch, type TextFormat } from "../stretch.ts";
import { parseDotnetFrame } from "./dotnet.ts";
import { parseJvmFrame } from "./jvm-frame.ts";
import { labeledAbove } from "./labeled-error.ts";

/** Fewer calls count only below a title. */
const callsMin = 2;
/** `## Backtrace`, `Stacktrace`. */
const title = /^\W{0,6}(?:Backtrace|Stack ?trace)\W{0,6}$/i;

/** A call as an error tracker shows it. Groups: `file`, `line`, `column`, `name`. */
const calls: readonly RegExp[] = [
  // Bugsnag.
  /^\s*(?<file>[^\s:]{1,500}\.\w{1,8}):(?<line>\d{1,9})(?::(?<column>\d{1,9}))? - (?<name>\S.{0,300})$/,
  // Honeybadger.
  /^\s*line (?<line>\d{1,9}) of (?<file>[^\s:]{1,500}): (?<name>\S.{0,300})$/,
  // Airbrake and Errbit.
  /^\s*(?<file>(?:\[[A-Z_]{3,20}\]|\/[A-Z]{3,10}_ROOT)?[^\s:[\]]{1,500}\.\w{1,8}):(?<line>\d{1,9})(?::in | in |→ ?)(?<name>[^\s`'].{0,300})$/,
  /^\s*(?<line>\d{1,9}): (?<file>[^\s:]{1,500}\.\w{1,8}) -> \*{0,2}(?<name>[^*]{1,300})\*{0,2}$/,
  // Rollbar.
  /^\s*(?:\d{1,4} )?File "?(?<file>[^\s"]{1,500})"?,? line (?<line>\d{1,9})(?:,? col(?:umn)? (?<column>\d{1,9}))?,? in (?<name>\S.{0,300})$/,
];

/** Calls as the pages of Bugsnag, Honeybadger, Airbrake, Errbit, and Rollbar show them, the innermost first. */
export const errorTrackerFormat: TextFormat = {
  name: "error trackers",
  language: "native",
  read(stretch) {
    // A part of calls that are no stack isn't one, either.
    let passed = 0;
    return readEach(stretch, (index) => {
      if (index < passed) return null;
      if (stretch.text(index) === appCenter.calls) return readAppCenter(stretch, index);
      const run = runAt(stretch, index);
      passed = run.next;
      return isStack(stretch, index, run.frames) ? readRun(stretch, index, run) : null;
    });
  },
};

/** Calls on consecutive lines, and the line after them. */
interface Run {
  readonly frames: readonly ParsedFrame[];
  readonly next: number;
}

function runAt(stretch: Stretch, first: number): Run {
  const frames: ParsedFrame[] = [];
  let next = first;
  for (let frame = callAt(stretch, next); frame; frame = callAt(stretch, next)) {
    frames.push(frame);
    // The code of a call may be below it.
    next += isCode(stretch.text(next + 1)) && callAt(stretch, next + 2) ? 2 : 1;
  }
  return { frames, next };
}

function readRun(stretch: Stretch, first: number, { frames, next }: Run): Found {
  const named = labeledAbove(stretch, first, true);
  const from = named?.line ?? first;
  const draft = newDraft(named?.type ?? "Error", named?.message ?? "", stretch.span(from, next - 1), {
    language: frames.flatMap(({ file }) => languageOfFile(file ?? "") ?? [])[0] ?? null,
  });
  for (const frame of frames) addFrame(draft, frame);
  stretch.take(from, next - 1);
  return { drafts: [draft], next };
}

/** The titles of an issue of Visual Studio App Center: of its calls, and of the error below them. */
const appCenter = { calls: "### Stacktrace ###", error: "### Reason ###" };
const linesMax = 80;

function readAppCenter(stretch: Stretch, first: number): Found | null {
  let at = first + 1;
  const frames: ParsedFrame[] = [];
  for (; at < first + linesMax && stretch.text(at) !== appCenter.error; at++) {
    const text = `at ${stretch.text(at).trim().replace(/;$/, "")}`;
    const frame = parseJvmFrame(text, stretch.span(at)) ?? parseDotnetFrame(text, stretch.span(at));
    if (frame) frames.push(frame);
  }
  const said = stretch.text(stretch.text(at + 1) === "" ? at + 2 : at + 1);
  const [, type, message = ""] = /^([A-Za-z_][\w.$]{0,200})(?:: (.*))?$/.exec(said) ?? [];
  if (type === undefined || stretch.text(at) !== appCenter.error) return null;
  const draft = newDraft(type, message, stretch.span(first, at + 2), {
    language: frames.flatMap(({ file }) => languageOfFile(file ?? "") ?? [])[0] ?? null,
  });
  for (const frame of frames) addFrame(draft, frame);
  stretch.take(first, at + 2);
  return { drafts: [draft], next: at + 3 };
}

/** Returns whether some calls are a stack, and not a part of Python's, or what a linter prints. */
function isStack(stretch: Stretch, first: number, frames: readonly ParsedFrame[]): boolean {
  if (frames.length === 0) return false;
  const above = stretch.text(first - 1);
  if (/^\s/.test(above) || above.includes("Traceback (most recent call")) return false;
  const [titled] = [first - 1, first - 2].filter((line) => title.test(stretch.text(line)));
  if (titled !== undefined || labeledAbove(stretch, first, true)?.line === first - 1) return true;
  return frames.length >= callsMin && frames.every(({ function: name }) => name === null || isName(name));
}

/** `block (2 levels) in total`, `-[Cart total:]`, `Cart.total [as sum]`, `new Cart`. */
const oneName = /^(?:(?:new|async|get|set|static) |(?:block|rescue|ensure) {1,2}in )*\S*$/;

/** Returns whether a text names a function: a linter's message has several words in this place. */
function isName(text: string): boolean {
  return oneName.test(text.replace(/[([<].*[)\]>]/, "").trim());
}

function isCode(text: string): boolean {
  return /^\s{2,40}\S/.test(text) && !/^\s*(?:File|line|\d)/.test(text);
}

function callAt(stretch: Stretch, index: number): ParsedFrame | null {
  const text = stretch.text(index);
  if (!/\d/.test(text)) return null;
  const groups = calls.map((call) => call.exec(text)?.groups).find((found) => found !== undefined);
  const file = groups && normalizePath(groups.file ?? "");
  const language = file === undefined ? null : languageOfFile(file);
  // What Python prints looks like Rollbar's calls, and has the innermost call last.
  if (!groups || file === undefined || language === null || language === "python") return null;
  return {
    function: groups.name === undefined || /^[[<]anonymous[\]>]$/.test(groups.name) ? null : groups.name,
    file,
    line: Number(groups.line) || null,
    column: Number(groups.column) || null,
    origin: frameOrigin(file, language, groups.name ?? null, groups.file),
    async: false,
    printed: stretch.span(index),
    context: null,
  };
}
