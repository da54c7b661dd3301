import type { Location } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import { isMissingValue, stateText } from "../signals/code/bad-value.ts";
import { lastName } from "../signals/code/step-code.ts";
import type { Advice } from "../words/link-words.ts";
import { shownPlace } from "./failure.ts";
import { isValueOf } from "./handed-value.ts";
import { isSamePlace, type Link } from "./link.ts";
import type { Messages } from "./messages.en.ts";
import { isGiven } from "./next-checks.ts";
import { isInstalledFrame, isInstalledPlace } from "./nouns.ts";
import { callerOf } from "./own-caller.ts";
import type { ReportInput } from "./report-input.ts";
import { type HandedOn, isHandedOn } from "./symptom.ts";
import { whatOf } from "./words.ts";

/** Returns what to look at first in a chain for which no remedy is known; null without a place. */
export function whereToLook(
  chain: readonly Link[],
  { findings, messages, shown }: Pick<ReportInput, "findings" | "messages" | "shown">,
): Advice | null {
  const { whereToLook: look } = messages;
  const start = chain.find(({ location }) => location !== null);
  const last = chain.at(-1);
  if (!start?.location || !last) return null;
  const place = shownPlace(start.location, shown);
  const refusal = isSamePlace(start, last) ? null : refusalOf(last, messages);
  const caller = callerOf(start, findings);
  if (caller) return look.passed(shownPlace(caller, shown), place, refusalOf(last, messages));
  if (start.kind === "off-stack") return look.offStack(place, start.args.dependence, refusal);
  if (isHandedOn(start) && start !== last) return ofValue(start, last, place, refusal, messages);
  if (isInstalledPlace(start.location.file, findings.frames, findings.files)) {
    return look.package(place, isOnlyInstalled(findings));
  }
  if (!isGiven(start.location.file, findings)) return look.unread(place);
  if (start.kind === "frame") return look.call(place, refusal);
  return atFailure(last, place, refusal, messages);
}

function isOnlyInstalled({ frames, files }: Findings): boolean {
  return frames.every((one) => one.frame.origin === "runtime" || isInstalledFrame(one, files));
}

/** Returns what refused a value, as a clause; null for a link that says no more of it than the error does. */
function refusalOf(last: Link, messages: Messages): string | null {
  if (last.kind !== "code") return null;
  const { signal } = last.args;
  if (signal.kind === "deliberate-throw" && signal.args.condition === null) return null;
  return whatOf({ ...last, args: { ...last.args, thrown: null } }, messages);
}

/** Code that defines a function or class, which says no more than its name. */
const definition = /^(?:export|async|def|func|function|class|public|private|protected|static)\b/;

function ofValue(
  start: HandedOn,
  last: Link,
  place: Location,
  refusal: string | null,
  { whereToLook: look }: Messages,
): Advice {
  const { how, name, code, isCallback } = start.args.signal.args;
  const isParameter = how === "parameter";
  // A loop hands on an element, and its code is the collection.
  const state = how !== "iteration" && isValueOf(start, last) ? missingState(last, lastName(code)) : null;
  if (state === null) {
    if (isCallback) return look.callback(name === "" ? null : name, place, refusal);
    if (isParameter) return look.argument(name === "" ? null : name, place, refusal);
    return definition.test(code) ? look.place(place, refusal) : look.value(code, place, refusal);
  }
  if (isParameter && !isCallback && name !== "") return look.missingArgument(name, state, place, refusal);
  return look.missing(code, state, place, refusal);
}

/** Returns what is wrong with a missing value of that name, as a predicate; null if another value failed. */
function missingState(last: Link, name: string | null): string | null {
  if (last.kind !== "code" || last.args.signal.kind !== "bad-value") return null;
  const { args } = last.args.signal;
  const isSame = name !== null && lastName(args.operand ?? args.expression) === name;
  return isSame && isMissingValue(args) && !args.others ? stateText(args.was) : null;
}

/** A place in code that was given; all that is known of it is what failed there or later. */
function atFailure(last: Link, place: Location, refusal: string | null, { whereToLook: look }: Messages): Advice {
  if (last.kind !== "code" || refusal !== null) return look.place(place, refusal);
  const { signal } = last.args;
  if (signal.kind === "deliberate-throw") return look.thrown(place);
  const called = signal.kind === "throw-site" ? signal.args.expression : null;
  return called === null ? look.place(place, null) : look.failedCall(called, place);
}
