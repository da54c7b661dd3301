import type { Breadcrumb, Redaction as RedactionEntry, TelemetryEvent } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { redactedValue } from "@whence/protocol/redaction";
import { fromJson } from "../runtime/json.ts";
import { trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { nonErrorType } from "./cause-chain.ts";
import { type FieldRules, type Redaction, rulesOfValues } from "./redact.ts";

/**
 * Returns the redacted values of an event, by rule and place. Read from the event as it leaves, so a value that the
 * program itself changed or removed has no entry. At most {@link limits.redactionsMax} entries.
 */
export function redactionLog(event: TelemetryEvent, { named, variables, data }: Redaction): RedactionEntry[] {
  const entries: RedactionEntry[] = [];
  collect(event.request?.headers, named, "/request/headers", entries);
  for (const [index, { type, message, properties, frames }] of event.exceptions?.entries() ?? []) {
    collect(properties, named, `/exceptions/${index}/properties`, entries);
    for (const [at, { vars }] of frames?.entries() ?? [])
      collect(vars, variables, `/exceptions/${index}/frames/${at}/vars`, entries);
    // The message of a thrown object is its JSON.
    const isObject = type === nonErrorType && message.includes(redactedValue);
    if (isObject) collect(fromJson(message), named, `/exceptions/${index}/message`, entries);
  }
  entries.push(...entriesOfTrail(event.breadcrumbs ?? [], data).slice(0, limits.redactionsMax - entries.length));
  collect(event.attributes, data, "/attributes", entries);
  collect(event.user, data, "/user", entries);
  collect(event.tags, data, "/tags", entries);
  collect(event.contexts, data, "/contexts", entries);
  return entries;
}

/** Entries for frozen lists, which many events share. */
const known = new WeakMap<FieldRules, WeakMap<object, RedactionEntry[]>>();

function entriesOfTrail(breadcrumbs: readonly Breadcrumb[], rules: FieldRules): RedactionEntry[] {
  if (!Object.isFrozen(breadcrumbs)) return findInTrail(breadcrumbs, rules);
  const ofRules = known.get(rules) ?? new WeakMap<object, RedactionEntry[]>();
  known.set(rules, ofRules);
  const entries = ofRules.get(breadcrumbs) ?? findInTrail(breadcrumbs, rules);
  ofRules.set(breadcrumbs, entries);
  return entries;
}

function findInTrail(breadcrumbs: readonly Breadcrumb[], rules: FieldRules): RedactionEntry[] {
  const entries: RedactionEntry[] = [];
  for (const [index, { data }] of breadcrumbs.entries()) {
    collect(data, rules, `/breadcrumbs/${index}/data`, entries);
  }
  return entries;
}

function collect(
  fields: unknown,
  rules: FieldRules,
  path: string,
  entries: RedactionEntry[],
  depth: number = sdkLimits.dataDepthMax,
): void {
  if (typeof fields !== "object" || fields === null || depth < 0) return;
  for (const name of Object.keys(fields)) {
    if (entries.length >= limits.redactionsMax) return;
    const value: unknown = Reflect.get(fields, name);
    const ofValue = rulesOfValues.get(value);
    if (value === redactedValue || ofValue !== undefined) {
      const rule = ofValue ?? rules.ruleOf(name);
      if (rule !== undefined)
        entries.push({ rule, path: trimText(`${path}/${escapeName(name)}`, limits.textLengthMax) });
    } else if (typeof value === "object") {
      const inside = Array.isArray(fields) ? rules : rules.within(name);
      collect(value, inside, `${path}/${escapeName(name)}`, entries, depth - 1);
    }
  }
}

/** Escapes a name for a JSON Pointer (RFC 6901, section 3). */
function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
