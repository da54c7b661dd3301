import type { ParsedException } from "../../findings/parsed-error.ts";
import { readOnly, undefinedOrNull } from "../../signals/code/bad-value.ts";
import { part } from "../code/ir.ts";
import { refusedAs } from "../code/text-forms.ts";
import { operandOf } from "../follow/failed-operand.ts";
import {
  argumentOf,
  badValue,
  elementOf,
  type FailedUse,
  iterated,
  named,
  type RuntimeMessage,
  readOf,
  type Site,
  takenApart,
} from "../follow/throw-site.ts";
import { anything, nothing, nothingAs, type Wanted } from "../follow/wanted.ts";

/**
 * The messages of V8's errors (src/common/message-template.h of its source), and the expression of the line that each
 * refers to.
 */
export const javascriptMessages: readonly RuntimeMessage[] = [
  {
    pattern:
      /^TypeError: Cannot (read|set) propert(?:y|ies) (?:'([^']{1,200})' )?of (undefined|null)(?: \((?:reading|setting) '([^']{1,200})'\))?/,
    find: (site, [, verb, before, was = "", behind]) => {
      const property = behind ?? before;
      const use = verb === "set" ? "write" : "read";
      const wanted = nothingAs(was);
      return property === undefined ? elementOf(site, was, wanted, use) : readOf(site, property, was, wanted, use);
    },
  },
  {
    pattern: /^TypeError: Cannot destructure property '(.{1,200}?)' of '(.{1,200}?)' as it is (undefined|null)/,
    find: (site, [, property = "", of = "", was = ""]) =>
      takenApart(site, property, was, nothingAs(was)) ?? named(site, of, was, "read", nothingAs(was)),
  },
  {
    pattern: /^TypeError: (.{1,200}?) is not a function(?: or its return value is not iterable)?/,
    find: (site, [, name = ""]) => called(site, name, "not a function"),
  },
  {
    pattern: /^TypeError: (.{1,200}?) is not a constructor/,
    find: (site, [, name = ""]) => called(site, name, "not a constructor"),
  },
  {
    pattern: /^TypeError: (.{1,200}?) is not (?:async )?iterable/,
    find: (site, [, name = ""]) => {
      const none = /^(?:object )?(undefined|null)$/.exec(name)?.[1];
      return (
        named(site, name, "not iterable", "iterate", anything) ??
        iterated(site, none ?? "not iterable", none === undefined ? anything : nothingAs(none))
      );
    },
  },
  {
    pattern: /^ReferenceError: (.{1,200}?) is not defined/,
    find: (site, [, name = ""]) => named(site, name, "not defined", "read", null),
  },
  {
    pattern: /^ReferenceError: Cannot access '(.{1,200}?)' before initialization/,
    find: (site, [, name = ""]) => named(site, name, "not initialized", "read", null),
  },
  {
    pattern: /^TypeError: Cannot use 'in' operator to search for '(?:.{1,200}?)' in (.{1,100})/,
    find: (site, [, was = ""]) =>
      operandOf(site, /^in$/, was, was === "undefined" || was === "null" ? nothingAs(was) : anything, "right"),
  },
  {
    pattern: /^TypeError: Right-hand side of 'instanceof' is not/,
    find: (site) => operandOf(site, /^instanceof$/, "not callable", nothing, "right"),
  },
  { pattern: /^TypeError: Class extends value (\S+)/, find: (site, [, was = ""]) => extended(site, was) },
  {
    pattern:
      /^TypeError: Cannot (?:assign to|add|delete|set|define|redefine) (?:read only )?property '?(.{1,200}?)'?(?: of|,)|^TypeError: Assignment to constant/,
    find: (site, [, property]) => assigned(site, property ?? null),
  },
  {
    pattern: /^TypeError: Cannot convert undefined or null to object/,
    find: (site) =>
      argumentOf(
        site,
        /^(?:keys|values|entries|assign|getPrototypeOf|getOwnPropertyNames|defineProperty|setPrototypeOf|hasOwn|create|from)$/,
        undefinedOrNull,
        nothing,
      ),
  },
  {
    pattern: /^TypeError: Invalid value used (?:as weak map key|in weak set)/,
    find: (site) => argumentOf(site, /^(?:set|add)$/, "not an object", anything),
  },
  { pattern: /^TypeError: Reduce of empty array/, find: (site) => receiver(site, /^reduce/, "empty") },
  {
    pattern: /^TypeError: Cannot (?:convert a (Symbol|BigInt) value|mix (BigInt)|convert object )/,
    find: (site, [, one, two]) =>
      operandOf(site, /^(?:[+\-*/%<>]|[!=]=)/, one ?? two ?? "not convertible", refusedValue(site.error)),
  },
];

function called(site: Site, name: string, was: string): FailedUse | null {
  const bare = name.split(/[.(]/).length > 1 ? nothing : anything;
  return named(site, name, was, "call", bare);
}

function extended(site: Site, was: string): FailedUse | null {
  const base = site.nodes.find(({ role }) => role === "base");
  return base ? badValue(site, base, was, "operand", null, [{ node: base, wanted: nothing }]) : null;
}

function assigned(site: Site, property: string | null): FailedUse | null {
  const write =
    site.nodes.find((one) => one.kind === "assign" && (property === null || part(one, "target")?.name === property)) ??
    site.nodes.find(({ kind }) => kind === "assign");
  const target = write && part(write, "target");
  if (!target) return null;
  const on = part(target, "on");
  const values = [{ node: on ?? target, wanted: anything }];
  return badValue(site, (property !== null && on) || target, readOnly, "write", property, values);
}

function receiver(site: Site, names: RegExp, was: string): FailedUse | null {
  const call = site.nodes.find((one) => one.kind === "call" && names.test(one.name ?? ""));
  const callee = call && part(call, "callee");
  const on = callee && part(callee, "on");
  return on ? badValue(site, on, was, "argument", call.name, [{ node: on, wanted: anything }]) : null;
}

const typeWords: readonly (readonly [RegExp, NonNullable<Wanted["type"]>])[] = [
  [/^Do not know how to serialize a BigInt/, "bigint"],
  [/^The number \S{1,40} cannot be converted|\bReceived type number\b|^toFixed\(\)|^Invalid array length/, "number"],
  [/^Cannot convert a Symbol value/, "symbol"],
  [
    /\bof string '|\bReceived type string\b|^Invalid URL|^Invalid regular expression|is not valid JSON|^Invalid character in header|ByteString/,
    "string",
  ],
  [/^Invalid (?:time value|date)\b/i, "date"],
  [/^Cannot convert object to primitive|\bReceived an instance of\b|^Converting circular/, "object"],
];
/** Properties of a runtime error that contain the value it was given. */
const valueProperties = ["path", "dest", "input", "hostname"] as const;
const shownValue =
  /^The number (\S{1,40}) cannot|of string '([^']{1,200})'|^Protocol "([^"\s]{1,60})" not supported|^Failed to parse URL from (\S{1,200})$|^(?:Invalid|Unknown|Unsupported|Incorrect)[\w ]{1,40}: (\S{2,60})$/;

/** Returns what the message and properties of an error say about a value that the runtime rejected. */
export function refusedValue({ type: raised, message, properties }: ParsedException): Wanted {
  const [none, received] = /\b(?:Received (undefined|null)|undefined or null)\b/.exec(message) ?? [];
  if (received !== undefined) return nothingAs(received);
  if (none !== undefined || properties.input === "undefined") return nothing;
  const type = typeWords.find(([pattern]) => pattern.test(message))?.[1] ?? null;
  const given = valueProperties.flatMap((name) => {
    const value = properties[name];
    return typeof value === "string" ? [value] : [];
  });
  const shown = shownValue
    .exec(message)
    ?.slice(1)
    .find((one) => one !== undefined);
  const texts = shown === undefined ? given : [...given, shown];
  // The date was rejected; the text it was made from comes later on the trail.
  return { was: "value", type, texts, unreadableAs: type === "date" ? null : refusedAs(raised, message) };
}

const stateCodes: ReadonlySet<string> = new Set(
  "EXDEV ERR_HTTP_HEADERS_SENT ERR_INVALID_STATE ERR_METHOD_NOT_IMPLEMENTED ERR_SERVER_ALREADY_LISTEN ERR_SERVER_NOT_RUNNING ERR_SOCKET_DGRAM_NOT_RUNNING ERR_STREAM_ALREADY_FINISHED ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END".split(
    " ",
  ),
);

/** Returns whether a call couldn't be carried out whatever its arguments. */
export function isAboutState({ properties }: ParsedException): boolean {
  return typeof properties.code === "string" && stateCodes.has(properties.code);
}
