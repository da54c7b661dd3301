import type { EventFacts, OutgoingCall, ParsedError } from "../findings/findings.ts";
import type { CodeFile } from "../trace/traced.ts";
import { literalsIn, recentCalls, spellsUrl } from "./related-calls.ts";
import type { AnyCodeSignal } from "./signal.ts";

/** As much of a function as is searched. Real ones are shorter. */
const searchedUnitsMax = 20_000;

/** A place where code takes in what an HTTP call answered. */
interface ReadAnswer {
  /** The code of the request, as far as the function shows it; empty when it doesn't. */
  readonly asked: string;
  /** Whether the code there goes on with an answer of any status, as far as it shows. */
  readonly takesAnyStatus: boolean;
}

const bodyReader = /\.(?:json|text|arrayBuffer|blob|bytes|formData)(?:<[^>]{0,80}>)?\(\s*\)/;
/** Calls that give an answer of any status; other clients raise for 400 and above. */
const anyStatus = /(?<![\w$.])(?:fetch|request)\s*\(|\b(?:undici|requests|httpx)\.\w+\s*\(/;
/** Words that code spells where it looks at the status, or tells its client to. */
const checks =
  /\b(?:ok|status(?:Code|_code|Text)?|raise_for_status|is_success|is_error|throwForStatus|throwOnError)\b|\b(?:check|assert|ensure|expect)\w*\(/i;
/** What a JSON parser says about a page that came instead. */
const pageInstead = /Unexpected token '?<|<!doctype|<html/i;

/** Whether a step goes on with an HTTP answer whose status nothing looked at, though the call or the error shows that it failed. */
export function isUncheckedAnswer(
  signal: AnyCodeSignal,
  files: readonly CodeFile[],
  { error, event }: { readonly error: ParsedError; readonly event: EventFacts | null },
): boolean {
  const answer = readAnswer(signal, files);
  if (!answer?.takesAnyStatus) return false;
  const calls = callsOf(answer, event);
  if (calls.length > 0) return calls.every(({ data }) => (data.status_code ?? 0) >= failedStatus);
  return error.chain.some((index) => pageInstead.test(error.exceptions[index]?.message ?? ""));
}

/** Whether the calls that a step can have got its value from were all answered with success. */
export function isWellAnswered(signal: AnyCodeSignal, files: readonly CodeFile[], event: EventFacts | null): boolean {
  const answer = readAnswer(signal, files);
  const calls = answer ? callsOf(answer, event) : [];
  return calls.length > 0 && calls.every(({ trouble, data }) => trouble === null && isSuccess(data.status_code));
}

const failedStatus = 400;

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Of the recent calls, those whose URL the request spells; all of them when it spells none. */
function callsOf({ asked }: ReadAnswer, event: EventFacts | null): OutgoingCall[] {
  const calls = recentCalls(event);
  return literalsIn(asked).length === 0 ? calls : calls.filter(({ data }) => spellsUrl(asked, data.url));
}

function readAnswer(signal: AnyCodeSignal, files: readonly CodeFile[]): ReadAnswer | null {
  if (signal.kind !== "value-step" || !["outside-answer", "parsed-text"].includes(signal.args.how)) return null;
  const { code } = signal.args;
  if (!bodyReader.test(code) && !anyStatus.test(code)) return null;
  const around = textAround(signal, files);
  return { asked: requestOf(code, around), takesAnyStatus: anyStatus.test(around) && !checks.test(around) };
}

/** The text of the function that a signal is in; the whole file's at module level. */
function textAround({ subject }: AnyCodeSignal, files: readonly CodeFile[]): string {
  const { source, line } = subject;
  const { start, end } = source.lines(line, line);
  const functions = files.find((file) => file.source === source)?.functions ?? [];
  const around = functions.filter((one) => one.start <= end && one.end >= start);
  const [inner] = around.toSorted((left, right) => left.end - left.start - (right.end - right.start));
  const { start: from, end: to } = inner ?? { start: 0, end: source.text.length };
  return source.text.slice(from, Math.min(to, from + searchedUnitsMax));
}

/** The expression that gave `answer` of `answer.json()`; the step's own code when that shows the request. */
function requestOf(code: string, around: string): string {
  const name = /^(?:await\s+)?([\w$]+)\./.exec(code)?.[1];
  if (name === undefined || anyStatus.test(code)) return code;
  const set = new RegExp(
    `(?<![\\w$])${name.replaceAll("$", "\\$")}(?:[\\s,}][^=;\\n]{0,80})?=(?!=)([^;\\n]{0,400})`,
  ).exec(around);
  return set?.[1] ?? code;
}
