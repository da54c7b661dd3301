import { naiveOrAware } from "../../signals/code/bad-value.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, isNothing, textOf } from "../code/expressions.ts";
import { around, type CodeNode, functionNodesMax, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

const codeUnitsMax = 60;
/** What code that knows of time zones names. */
const zones =
  /\btzinfo\s{0,5}=(?!\s{0,5}None)|\btimezone\.utc\b|\bUTC\b|\bZoneInfo\(|\bpytz\b|\.(?:astimezone|localize)\(/;

/**
 * Notes the only function of a program that gives times a time zone and doesn't take it away again, if two times can't
 * be compared because only one of them has one. Where several do, or the failing code itself does, none is odd; a
 * helper that returns such times gives them to all that call it.
 */
export function findLoneTimeZones(codebase: Codebase, trail: Trail): void {
  const signals = trail.signals();
  const symptom = signals.find(({ kind, args }) => kind === "bad-value" && "was" in args && args.was === naiveOrAware);
  if (!symptom || signals.some(({ kind }) => kind === "naive-time")) return;
  // Other files may give times a zone in ways that aren't followed.
  const [only, ...more] = codebase.own().filter(({ source }) => zones.test(source.text));
  if (!only || more.length > 0) return;
  const given = [only].flatMap((program) => zonesGivenIn(program).map((call) => ({ program, call })));
  const [first, ...others] = given;
  if (!first || others.some(({ call }) => call.owner !== first.call.owner)) return;
  const { program } = first;
  const { call } = given.at(-1) ?? first;
  const isFailing = program.source === symptom.subject.source && placeAt(program, call).line === symptom.subject.line;
  if (isFailing || call.owner === null || isReturned(call) || isTakenAway(call.owner)) return;
  const args = { made: textOf(call, program.source, codeUnitsMax) };
  trail.add({ kind: "lone-time-zone", args }, placeAt(program, call), symptom);
}

/** Returns the calls in a file that make a time with a time zone. */
function zonesGivenIn({ calls }: Program): CodeNode[] {
  const converting = (calls.get("astimezone") ?? []).filter(({ owner }) => owner !== null);
  const replacing = (calls.get("replace") ?? []).filter((call) => zoneOf(call, "tzinfo") === "given");
  const making = ["now", "fromtimestamp"]
    .flatMap((name) => calls.get(name) ?? [])
    .filter((call) => zoneOf(call, "tz") === "given");
  const localizing = calls.get("localize") ?? [];
  return [...converting, ...replacing, ...making, ...localizing].toSorted((left, right) => left.start - right.start);
}

function zoneOf(call: CodeNode, name: string): "given" | "removed" | null {
  const zone = argumentsOf(call).find((one) => one.name === name);
  return zone ? (isNothing(zone.value) ? "removed" : "given") : null;
}

/** Returns whether code gives a time zone for others: a helper that most times may pass through. */
function isReturned(call: CodeNode): boolean {
  return around(call, "return", "block")?.kind === "return";
}

/** Returns whether a function also removes time zones: what it gives is for a conversion alone. */
function isTakenAway(owner: CodeNode): boolean {
  return [...walk(owner, functionNodesMax)].some(
    (node) => node.kind === "call" && node.name === "replace" && zoneOf(node, "tzinfo") === "removed",
  );
}
