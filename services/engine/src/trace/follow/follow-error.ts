import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { ParsedException } from "../../findings/parsed-error.ts";
import type { AnyCodeSignal } from "../../signals/signal.ts";
import { lastName } from "../../source/anchor.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, plain } from "../code/expressions.ts";
import { type CodeNode, is } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { errorNames } from "../dialects/dialect.ts";
import { callAtFrame, isPrintedAlone } from "../frames/stack-calls.ts";
import { messagesOf } from "../languages.ts";
import { isAboutState, refusedValue } from "../runtime-messages/javascript.ts";
import { addedPrefix } from "./added-prefix.ts";
import { computedFirst } from "./expected-operand.ts";
import { refusedArguments } from "./refused-arguments.ts";
import { type FailedUse, type RuntimeMessage, raiseAt, raisedBy, type Site, siteOf } from "./throw-site.ts";
import { Tracer } from "./tracer.ts";
import { placeAt, type Trail } from "./trail.ts";

/** How many frames have their calls examined, starting with the innermost that the text shows. */
const framesFollowedMax = 3;
/** How many values of one throw site are followed. */
const valuesMax = 6;
/** Maximum chain of helpers that only raise. */
const helpersMax = 4;

/** Follows an error backwards from where it was thrown, along the values that it depends on. */
export function followError(
  codebase: Codebase,
  error: ParsedException,
  frames: readonly LocatedFrame[],
  trail: Trail,
): void {
  const shown = frames
    .filter(({ place }) => place !== null && codebase.of(place.source) !== null)
    .slice(0, framesFollowedMax);
  let previous: AnyCodeSignal | null = null;
  for (const located of shown) {
    const site = siteOf(codebase, located, error);
    const found = site && failedUseAt(site, frames, previous !== null);
    if (!site || !found || !located.place) continue;
    const { file, line, function: name, source } = located.place;
    const said = previous === null ? found.said : asCall(found.said);
    const at: AnyCodeSignal = trail.add(said, { kind: "place", file, line, function: name, source }, previous);
    const before = trail.length;
    if (found.isHelper) followHelper(codebase, frames, located, at, trail);
    follow(new Tracer(codebase, frames, trail), site.program, found, located, at);
    // The trail leads into the callers on its own, so their calls are examined only without one.
    if (trail.length > before || (found.values.length === 0 && found.said.kind === "bad-value")) return;
    previous = at;
  }
}

interface SiteUse extends FailedUse {
  /** Whether the function only raises, so that the cause is in its caller. */
  readonly isHelper: boolean;
}

function failedUseAt(site: Site, frames: readonly LocatedFrame[], isOutward: boolean): SiteUse | null {
  const { error, located, program } = site;
  const plainly = (found: FailedUse | null): SiteUse | null => found && { ...found, isHelper: false };
  if (isAboutState(error))
    return { said: { kind: "throw-site", args: { expression: null } }, values: [], isHelper: false };
  const isDirect = frames.every(
    ({ index, exception, frame }) =>
      exception !== located.exception || index >= located.index || frame.origin === "runtime",
  );
  const isInnermost = located.index === 0 || (isDirect && !isOutward);
  const wanted = refusedValue(error);
  if (isInnermost) {
    const said = `${error.type}: ${error.message}`;
    const raise = raiseAt(site);
    if (raise && !isBeforeRaise(site, raise, said)) {
      const raised = raisedBy(program, raise);
      const values = raised.isGuarded ? computedFirst(site, raise, raised.values) : raised.values;
      const prefix = addedPrefix(raise, error.message);
      return { said: withPrefix(raised.said, prefix), values, isHelper: !raised.isGuarded };
    }
    for (const { pattern, find } of messagesOf(program.dialect)) {
      const match = pattern.exec(said);
      const found = match && find(site, match);
      if (found) return fitsOnce(site, match, find, found) ? plainly(found) : null;
    }
    if (isUnsure(site) && site.nodes.filter(({ kind }) => kind === "call").length > 1) return null;
  }
  return plainly(refusedArguments(site, wanted, calledInwards(site, frames)));
}

function withPrefix(said: FailedUse["said"], prefix: string | null): FailedUse["said"] {
  return prefix !== null && said.kind === "deliberate-throw" ? { ...said, args: { ...said.args, prefix } } : said;
}

/** Returns the name that a frame called a function by, as the stack prints it: a constructor is called by its class. */
function calledInwards({ located, program }: Site, frames: readonly LocatedFrame[]): string | null {
  const { exception, index } = located;
  const inner = frames.find((one) => one.exception === exception && one.index === index - 1);
  if (!inner?.frame.function) return null;
  const printed = inner.frame.function;
  const { constructors, construction } = program.dialect;
  if (!constructors.has(printed.split(/[.#]/).at(-1) ?? "")) return lastName(printed);
  if (construction === "new-method") return "new";
  const classes = [printed, inner.place?.function ?? ""].map((name) => name.split(/[.$]/).at(-2));
  return classes.find((name) => name !== undefined) ?? null;
}

/**
 * Whether the runtime raised the error while the one to be raised was still being made: its message is the runtime's,
 * and its type isn't the one made, or the column is within what that one is made from.
 */
function isBeforeRaise({ program, position, error }: Site, raise: CodeNode, said: string): boolean {
  if (!messagesOf(program.dialect).some(({ pattern }) => pattern.test(said))) return false;
  const made = [raise, ...raise.children.map(plain)].find(
    (node) => node.kind === "call" && (is(node, "new") || program.dialect.errorMaking.test(node.name ?? "")),
  );
  const [first] = made ? argumentsOf(made) : [];
  if (!made || !first) return false;
  if (errorNames.test(made.name ?? "") && lastWord(error.type) !== made.name) return true;
  return position !== null && position >= first.value.start;
}

function lastWord(type: string): string {
  return type.split(/[.:/]/).at(-1) ?? type;
}

/** Whether nothing but the printed line shows which part of it failed. */
function isUnsure({ located: { place }, position }: Site): boolean {
  return place !== null && position === null && isPrintedAlone(place.source);
}

/** Whether a message fits only one part of a line that was printed alone. */
function fitsOnce(site: Site, match: RegExpExecArray, find: RuntimeMessage["find"], found: FailedUse): boolean {
  const used = found.values[0]?.node;
  if (!used || !isUnsure(site)) return true;
  const others = site.nodes.filter((node) => node === used || node.start > used.start || node.end < used.end);
  const other = find({ ...site, nodes: others }, match);
  return other === null || JSON.stringify(other.said) === JSON.stringify(found.said);
}

/** Leaves a function that only raises: the call of it counts as the raise. */
function followHelper(
  codebase: Codebase,
  frames: readonly LocatedFrame[],
  inner: LocatedFrame,
  from: AnyCodeSignal,
  trail: Trail,
): void {
  let located = inner;
  let at = from;
  for (let count = 0; count < helpersMax; count++) {
    const outer = frames.find(
      ({ exception, index, place }) => exception === located.exception && index > located.index && place !== null,
    );
    const name = located.place?.function?.split(".").at(-1) ?? null;
    const site = outer && callAtFrame(codebase, outer, name);
    if (!outer?.place || !site) return;
    const raised = raisedBy(site.program, site.call);
    at = trail.add(asCall(raised.said), placeAt(site.program, site.call), at);
    if (raised.isGuarded) {
      follow(new Tracer(codebase, frames, trail), site.program, raised, outer, at);
      return;
    }
    located = outer;
  }
}

function asCall(said: FailedUse["said"]): FailedUse["said"] {
  if (said.kind === "deliberate-throw") return { ...said, args: { ...said.args, isCall: true } };
  return said.kind === "throw-site" ? { ...said, args: { ...said.args, isCall: true } } : said;
}

/** Follows what an error depends on. */
export function follow(
  tracer: Tracer,
  program: Program,
  { values }: FailedUse,
  frame: LocatedFrame | null,
  from: AnyCodeSignal,
): void {
  for (const { node, wanted, path = [] } of values.slice(0, valuesMax))
    tracer.run({ program, node, wanted, path, frame, via: null, awaits: [], from });
}
