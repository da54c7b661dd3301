import type { Breadcrumb, Redaction as Receipt, TelemetryEvent } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { redactedValue } from "@whence/protocol/redaction";
import { fromJson } from "../runtime/json.ts";
import { trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";
import type { FieldRules, Redaction } from "./redact.ts";
import { nonErrorType } from "./thrown.ts";

/**
 * What was replaced in an event: by which rule, and where. Read from the event as it leaves, so that what a program
 * changed or took out at last has no receipt. At most {@link limits.redactionsMax}.
 */
export function receiptsOf(event: TelemetryEvent, { named, data }: Redaction): Receipt[] {
  const receipts: Receipt[] = [];
  collect(event.request?.headers, named, "/request/headers", receipts);
  for (const [index, { type, message, properties }] of event.exceptions?.entries() ?? []) {
    collect(properties, named, `/exceptions/${index}/properties`, receipts);
    // An object is told of by its JSON.
    const isObject = type === nonErrorType && message.includes(redactedValue);
    if (isObject) collect(fromJson(message), named, `/exceptions/${index}/message`, receipts);
  }
  receipts.push(...ofTrail(event.breadcrumbs ?? [], data).slice(0, limits.redactionsMax - receipts.length));
  collect(event.attributes, data, "/attributes", receipts);
  return receipts;
}

/** What was found in lists that never change, and that many events carry. */
const known = new WeakMap<FieldRules, WeakMap<object, Receipt[]>>();

function ofTrail(breadcrumbs: readonly Breadcrumb[], rules: FieldRules): Receipt[] {
  if (!Object.isFrozen(breadcrumbs)) return inTrail(breadcrumbs, rules);
  const ofRules = known.get(rules) ?? new WeakMap<object, Receipt[]>();
  known.set(rules, ofRules);
  const receipts = ofRules.get(breadcrumbs) ?? inTrail(breadcrumbs, rules);
  ofRules.set(breadcrumbs, receipts);
  return receipts;
}

function inTrail(breadcrumbs: readonly Breadcrumb[], rules: FieldRules): Receipt[] {
  const receipts: Receipt[] = [];
  for (const [index, { data }] of breadcrumbs.entries()) {
    collect(data, rules, `/breadcrumbs/${index}/data`, receipts);
  }
  return receipts;
}

function collect(
  fields: unknown,
  rules: FieldRules,
  path: string,
  receipts: Receipt[],
  depth: number = sdkLimits.dataDepthMax,
): void {
  if (typeof fields !== "object" || fields === null || depth < 0) return;
  for (const name of Object.keys(fields)) {
    if (receipts.length >= limits.redactionsMax) return;
    const value: unknown = Reflect.get(fields, name);
    if (value === redactedValue) {
      const rule = rules.ruleOf(name);
      if (rule !== undefined)
        receipts.push({ rule, path: trimText(`${path}/${escapeName(name)}`, limits.textLengthMax) });
    } else if (typeof value === "object") {
      const inside = Array.isArray(fields) ? rules : rules.within(name);
      collect(value, inside, `${path}/${escapeName(name)}`, receipts, depth - 1);
    }
  }
}

/** A name as a part of a JSON Pointer (RFC 6901, section 3). */
function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
