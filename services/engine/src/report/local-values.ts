import { credentialIn } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import { type LocatedFrame, lineOf, ranAt } from "../findings/located-frame.ts";
import type { Observation } from "../findings/observation.ts";
import { quotedData } from "../findings/observe-input.ts";
import { codeOf, sentValue } from "../findings/sent-value.ts";
import { isMissingValue, naiveOrAware } from "../signals/code/bad-value.ts";
import type { StepArgs } from "../signals/code/value-sources.ts";
import type { InputFact } from "../signals/fact.ts";
import type { LocalValue } from "../signals/inputs/local-values.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import { throwingSignal } from "../signals/throwing-signal.ts";
import type { LanguageTable } from "../source/languages/language.ts";
import { languageOfFile, tableOf } from "../source/languages/languages.ts";
import type { Traced } from "../trace/traced.ts";
import { framesInward } from "./failure.ts";

const valuesMax = 5;
const textUnitsMax = 60;
/** A call further from the failing value gave another one. */
const givingStepsMax = 2;

/** Returns what the variables in the failing code were, the missing ones first; null where none is known. */
export function localValuesOf(findings: Findings, traced: Traced): Observation<InputFact<"local-values">> | null {
  const site = throwingSignal(traced.signals);
  const frame = failingFrame(site, findings);
  const { variables } = frame?.frame ?? {};
  if (!frame || !variables) return null;
  const { constants, readsVariablesLate } = tableOf(languageOfFile(frame.file));
  const found = [failingCode(site, frame), ...givingCode(site, traced)]
    .flatMap(pathsIn)
    .flatMap((path) => valueAt(path, variables) ?? [])
    .filter(({ isReceiver, value }) => !(readsVariablesLate && isReceiver && value === null))
    .filter(({ name, value }) => credentialIn(`${name} = ${JSON.stringify(value)}`, frame.file) === null);
  const distinct = [...new Map(found.map((one) => [one.name, one.value]))];
  const ordered = distinct
    .toSorted(([, left], [, right]) => oddness(right, site) - oddness(left, site))
    .slice(0, valuesMax);
  if (ordered.length === 0) return null;
  const values = ordered.map(([name, value]): LocalValue => ({ name, value: written(value, constants) }));
  const place = { file: frame.file, line: lineOf(frame), function: frame.place?.function ?? frame.frame.function };
  return {
    source: { kind: "telemetry", name: `local variables in event ${findings.event?.id}` },
    observed_at: findings.observedAt,
    fact: { kind: "local-values", place, values },
    location: place,
    ...quotedData(Object.fromEntries(ordered)),
  };
}

/** The call that failed, if its variables are known; without a place for the throw, the innermost own call. */
function failingFrame(site: AnyCodeSignal | undefined, findings: Findings): LocatedFrame | undefined {
  const frames = framesInward(findings).filter(({ frame }) => frame.origin === "app");
  if (!site) return frames.slice(0, 1).find(({ frame }) => frame.variables !== undefined);
  const { file, line } = site.subject;
  return frames.find((one) => one.file === file && lineOf(one) === line && one.frame.variables !== undefined);
}

/** The code whose values decided: what couldn't be used, or the condition of a throw, or else the whole line. */
function failingCode(site: AnyCodeSignal | undefined, frame: LocatedFrame): string {
  const place = ranAt(frame);
  const line = place ? place.source.line(place.line) : (frame.frame.code ?? "");
  if (site?.kind === "bad-value") return site.args.expression;
  return (site?.kind === "deliberate-throw" ? site.args.condition : null) ?? line;
}

/** What looks a value up, or calls for it. */
const giving: ReadonlySet<StepArgs["how"]> = new Set(["lookup", "call", "awaited-call"]);

/** The calls in the failing function that gave a missing value: what they were passed may say why. */
function givingCode(site: AnyCodeSignal | undefined, { signals }: Traced): string[] {
  if (site?.kind !== "bad-value" || !isMissingValue(site.args)) return [];
  const { file, function: name } = site.subject;
  const isHere = ({ subject }: AnyCodeSignal): boolean => subject.file === file && subject.function === name;
  return signals.flatMap((one) =>
    one.kind === "value-step" && one.steps <= givingStepsMax && giving.has(one.args.how) && isHere(one)
      ? [one.args.code]
      : [],
  );
}

/** Text in quotes; text that is filled with values is read. */
const plainText = /(["'])(?:(?!\1)[^\\\n{}])*\1/g;
const path = /(?<![\w$.])[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*/g;

function pathsIn(code: string): string[][] {
  return (code.replace(plainText, "''").match(path) ?? []).map((one) => one.split(/\??\./));
}

interface Found {
  readonly name: string;
  readonly value: Plain;
  /** Whether the code reads something of it. */
  readonly isReceiver: boolean;
}

/** A value that is said in full. */
type Plain = string | number | boolean | null | readonly never[];

/** Follows a path as far as its values are known. */
function valueAt(
  [first = "", ...members]: readonly string[],
  variables: Readonly<Record<string, unknown>>,
): Found | null {
  if (!Object.hasOwn(variables, first)) return null;
  let name = first;
  let value = variables[first];
  for (const member of members) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) break;
    value = Object.entries(value).find(([key]) => key === member)?.[1];
    name = `${name}.${member}`;
  }
  return isPlain(value) ? { name, value, isReceiver: name !== [first, ...members].join(".") } : null;
}

/** What the clients write in place of a value that they don't copy. */
const described = /^(?:\[(?!undefined\]).{0,80}\]|<.{0,80}>|\{\d+ items\}|…)$/;

function isPlain(value: unknown): value is Plain {
  if (typeof value === "string")
    return value.length <= textUnitsMax && (sentValue(value) !== null || !described.test(value));
  if (Array.isArray(value)) return value.length === 0;
  return value === null || typeof value === "number" || typeof value === "boolean";
}

/** What the JavaScript client writes for `undefined`, which JSON lacks. */
const undefinedText = "[undefined]";

function isMissing(value: Plain): boolean {
  return value === null || value === undefinedText;
}

/** Returns how telling a value is on its own: one that is missing, or the one of two dates without a time zone. */
function oddness(value: Plain, site: AnyCodeSignal | undefined): number {
  const isNaive = site?.kind === "bad-value" && site.args.was === naiveOrAware && naive.test(textOf(value));
  return Number(isMissing(value) || isNaive);
}

function textOf(value: Plain): string {
  const text = String(value);
  return sentValue(text)?.text ?? text;
}

/** A date with a time and no offset, as Python prints it. */
const naive = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

function written(value: Plain, constants: LanguageTable["constants"]): string {
  if (value === undefinedText) return "undefined";
  const sent = typeof value === "string" ? sentValue(value) : null;
  if (sent) return codeOf(sent);
  const text = JSON.stringify(value);
  return text === "null" || text === "true" || text === "false" ? (constants?.[text] ?? text) : text;
}
