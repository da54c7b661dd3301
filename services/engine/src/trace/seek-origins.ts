import type { EventFacts } from "../findings/event-facts.ts";
import type { LocatedException, LocatedFrame } from "../findings/located-frame.ts";
import type { ParsedError } from "../findings/parsed-error.ts";
import { isTrained } from "../signals/signal.ts";
import type { Codebase } from "./code/codebase.ts";
import type { CodeNode } from "./code/ir.ts";
import type { Program } from "./code/program.ts";
import { findUnawaited } from "./code/promises.ts";
import { findBlocking } from "./faults/blocking.ts";
import { findClearedColumns } from "./faults/cleared-columns.ts";
import { findCompressedTexts } from "./faults/compressed-texts.ts";
import { findExchanged } from "./faults/exchanged-arguments.ts";
import { findImportCycles } from "./faults/import-cycles.ts";
import { findComputedIndexes } from "./faults/indexes/computed-indexes.ts";
import { isInterruption } from "./faults/interruptions.ts";
import { findKeptAttempts } from "./faults/kept-attempts.ts";
import { findKeptCredentials } from "./faults/kept-credentials.ts";
import { exhausted, findKeptResources } from "./faults/kept-resources.ts";
import { findLateBindings } from "./faults/late-bindings.ts";
import { findLostKeys } from "./faults/lost-keys.ts";
import { findLostOverrides } from "./faults/lost-overrides.ts";
import { findLostTypes } from "./faults/lost-types.ts";
import { messageSources } from "./faults/message-source.ts";
import { findMissingExports } from "./faults/missing-exports.ts";
import { findMistypedFields } from "./faults/mistyped-fields.ts";
import { findMistypedSettings } from "./faults/mistyped-settings.ts";
import { findNaiveTimes } from "./faults/naive-times.ts";
import { findNamedCoroutines } from "./faults/named-coroutines.ts";
import { findOverflows } from "./faults/overflows.ts";
import { findPageCounts } from "./faults/page-counts.ts";
import { findRacingChecks } from "./faults/racing-checks.ts";
import { findRecursion } from "./faults/recursion.ts";
import { findReferenceEquality } from "./faults/reference-equality.ts";
import { findRemovedKeys } from "./faults/removed-keys.ts";
import { findRenamedColumns } from "./faults/renamed-columns.ts";
import { findRepeatedWrites } from "./faults/repeated-writes.ts";
import { findUnreleased } from "./faults/resources.ts";
import { findRoundedParts } from "./faults/rounded-parts.ts";
import { findShadowedVariables } from "./faults/shadowed-variables.ts";
import { findSharedDefaults } from "./faults/shared-defaults.ts";
import { findSilentWrappers } from "./faults/silent-wrappers.ts";
import { findSkippedEntries } from "./faults/skipped-entries.ts";
import { findSpentIterators } from "./faults/spent-iterators.ts";
import { findSplitTexts } from "./faults/split-texts.ts";
import { findStateChanges } from "./faults/state-changes.ts";
import { findSwallowed } from "./faults/swallowed-errors.ts";
import { findTextOrders } from "./faults/text-orders.ts";
import { findTimeLimits } from "./faults/time-limits.ts";
import { failedAfter } from "./faults/unawaited-before.ts";
import { findUnawaitedFields } from "./faults/unawaited-fields.ts";
import { findMixedUnits } from "./faults/units/mixed-units.ts";
import { findUnserialized } from "./faults/unserialized-texts.ts";
import { findUnsetFields } from "./faults/unset-fields.ts";
import { findUtcDays } from "./faults/utc-days.ts";
import { wrapOf } from "./faults/wraps.ts";
import { findWrittenFiles } from "./faults/written-files.ts";
import { follow, followError } from "./follow/follow-error.ts";
import { raisedBy } from "./follow/throw-site.ts";
import { Tracer } from "./follow/tracer.ts";
import { placeAt, type Trail } from "./follow/trail.ts";

/**
 * Finds everything in the code that bears on the error, backwards from each throw site, and next to it. Returns the
 * frames that only wrapped an error that the code explains.
 */
export function seekOrigins(
  codebase: Codebase,
  error: ParsedError,
  event: EventFacts | null,
  chain: readonly LocatedException[],
  trail: Trail,
): LocatedFrame[] {
  const wraps: LocatedFrame[] = [];
  // The innermost error comes first, because the failure began with it.
  for (const [index, { exception, frames }] of chain.toReversed().entries()) {
    const wrap = index > 0 ? wrapOf(codebase, exception, frames) : null;
    if (!wrap || trail.length === 0) {
      findRecursion(codebase, exception, frames, trail);
      followError(codebase, exception, frames, trail);
      findMissingExports(codebase, exception, frames, trail);
      findImportCycles(codebase, exception, frames, trail);
    }
    if (wrap && trail.length > 0) wraps.push(wrap);
  }
  for (const one of chain) findKeptResources(codebase, saidOf(one), one.frames, trail);
  for (const { exception, frames } of chain)
    if (isInterruption(codebase, exception, frames)) findBlocking(codebase, frames, trail);
  findStateChanges(codebase, error, trail.first, trail);
  noteMessageSources(codebase, error, chain, trail);
  noteUnawaited(codebase, event, chain, trail);
  if (chain.some(saysRanOut)) noteUnreleased(codebase, trail);
  const frames = chain.flatMap((one) => one.frames);
  noteSwallowed(codebase, trail);
  findNamedCoroutines(codebase, error, frames, trail);
  findUnawaitedFields(codebase, trail);
  findSilentWrappers(codebase, trail);
  findLateBindings(codebase, trail);
  findRemovedKeys(codebase, trail);
  findMistypedFields(codebase, frames, trail);
  findLostTypes(codebase, error, trail);
  findTimeLimits(codebase, chain, trail);
  findLostKeys(codebase, trail);
  findNaiveTimes(codebase, trail);
  findTextOrders(codebase, chain, trail);
  findUnserialized(codebase, chain, trail);
  findMixedUnits(codebase, saidBy(error), chain, trail);
  for (const one of chain) findRacingChecks(codebase, one, trail);
  findPageCounts(codebase, chain, trail);
  findUtcDays(codebase, chain, trail);
  findRenamedColumns(codebase, chain, trail);
  findRoundedParts(codebase, saidBy(error), trail);
  findSplitTexts(codebase, saidBy(error), chain, trail);
  findCompressedTexts(codebase, saidBy(error), chain, trail);
  findKeptCredentials(codebase, [saidBy(error), ...lastAnswer(event)].join("\n"), trail);
  findSharedDefaults(codebase, frames, trail);
  findSkippedEntries(codebase, trail);
  findLostOverrides(codebase, trail);
  findUnsetFields(codebase, trail);
  findClearedColumns(codebase, trail);
  findWrittenFiles(codebase, trail);
  findMistypedSettings(codebase, trail);
  findShadowedVariables(codebase, saidBy(error), trail);
  findRepeatedWrites(codebase, chain, trail);
  findKeptAttempts(codebase, saidBy(error), trail);
  findSpentIterators(codebase, saidBy(error), frames, trail);
  findExchanged(codebase, frames, trail);
  findComputedIndexes(codebase, chain, trail);
  findReferenceEquality(codebase, frames, trail);
  findOverflows(codebase, chain, trail);
  return wraps;
}

function noteMessageSources(
  codebase: Codebase,
  error: ParsedError,
  chain: readonly LocatedException[],
  trail: Trail,
): void {
  const frames = chain.flatMap((one) => one.frames);
  const isLogged = frames.length === 0;
  const worst = error.records.find(({ level }) => level === "error" || level === "fatal");
  const logged = isLogged ? [worst?.message.split("\n", 1)[0] ?? error.headline] : [];
  const messages = [...chain.map(({ exception }) => exception.message), ...logged];
  for (const isLog of isLogged ? [true, false] : [false]) {
    for (const { program, node, template } of messageSources(codebase, messages, frames, isLog)) {
      const said = { template: template.slice(0, templateUnitsMax) };
      const at = trail.add(
        { kind: "message-source", args: isLog && !program.raises.includes(node) ? { ...said, isLogged: true } : said },
        placeAt(program, node),
        null,
      );
      follow(new Tracer(codebase, [], trail), program, raisedBy(program, node), null, at);
    }
  }
}

const templateUnitsMax = 120;

function noteUnawaited(
  codebase: Codebase,
  event: EventFacts | null,
  chain: readonly LocatedException[],
  trail: Trail,
): void {
  const steps = event?.mechanism.type === "unhandledRejection" ? 0 : 1;
  for (const program of codebase.all()) {
    if (program.isInstalled) continue;
    for (const { node, callee, how } of findUnawaited(codebase, program)) {
      const [before] = chain.flatMap(
        ({ exception: { type, message }, frames }) =>
          failedAfter(codebase, `${type}: ${message}`, frames, program, node) ?? [],
      );
      const args = before === undefined ? { callee, how } : { callee, how, before };
      trail.add({ kind: "missing-await", args }, placeAt(program, node), null, before === undefined ? steps : 0);
    }
  }
}

/** Everything that the errors of the chain say. */
function saidBy(error: ParsedError): string {
  const said = error.chain.map((index) => `${error.exceptions[index]?.type}: ${error.exceptions[index]?.message}`);
  return [error.headline, ...said].join("\n");
}

/** The status of the last call that can have led to the error: an answer of 401 is often read as if it were another. */
function lastAnswer(event: EventFacts | null): string[] {
  const status = event?.calls.findLast(({ isRelated }) => isRelated)?.data.status_code;
  return status === undefined ? [] : [`status ${status}`];
}

/** Further ways to say that a resource ran out, which may be one that nothing shares. */
const ranOut = /PoolTimeout|pool[ _]timeout|deadlock|out of memory|heap (?:limit|out)|MaxListeners|no more|capacity/i;

/** Returns whether the error itself says that a resource ran out. */
function saysRanOut(located: LocatedException): boolean {
  const said = saidOf(located);
  return exhausted.test(said) || ranOut.test(said);
}

function saidOf({ exception: { type, message } }: LocatedException): string {
  return `${type}: ${message}`;
}

function noteUnreleased(codebase: Codebase, trail: Trail): void {
  for (const program of codebase.near()) {
    for (const { node, acquire, leavesAt } of findUnreleased(program)) {
      const leavesAtLine = leavesAt && program.source.lineAt(leavesAt.start);
      trail.add({ kind: "unreleased-resource", args: { acquire, leavesAtLine } }, placeAt(program, node), null);
    }
  }
}

const swallowedMax = 12;

function noteSwallowed(codebase: Codebase, trail: Trail): void {
  const seen = trail.signals().filter(({ kind }) => isTrained(kind));
  const functions = new Set(seen.map(({ subject }) => `${subject.file}:${subject.function}`));
  const isOnTrail = (program: Program, node: CodeNode): boolean => {
    const { file, function: name } = placeAt(program, node);
    return functions.has(`${file}:${name}`);
  };
  const found = codebase.all().flatMap((program) =>
    program.isInstalled
      ? []
      : findSwallowed(program)
          .filter(({ node }) => isOnTrail(program, node))
          .map((one) => ({ program, ...one })),
  );
  for (const { program, node, call } of found.slice(0, swallowedMax))
    trail.add({ kind: "swallowed-error", args: { call } }, placeAt(program, node), null, 1);
}
