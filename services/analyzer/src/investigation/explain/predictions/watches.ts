import type { Category, Watch } from "@whence/protocol";
import type { Findings, Ranked } from "../../findings.ts";
import { troubledCalls } from "../../rank/category.ts";

type Kind = Watch["kind"];

const release: readonly Kind[] = ["only-in-release", "stops-with-release"];
const upstream: readonly Kind[] = ["only-with-failed-call", "stops-with-recovery"];
const setting: readonly Kind[] = ["restart-keeps"];
const input: readonly Kind[] = ["only-on-route"];
const code: readonly Kind[] = [];

/** What each kind of cause lets one expect of the telemetry, beside that the failure goes on. */
const kindsOf: Readonly<Record<Category, readonly Kind[]>> = {
  "deploy-regression": release,
  "breaking-upgrade": release,
  "dependency-outage": upstream,
  "network-unreachable": upstream,
  "upstream-bad-response": upstream,
  timeout: upstream,
  "schema-drift": input,
  "bad-config": setting,
  "module-resolution": setting,
  auth: setting,
  permission: setting,
  filesystem: ["only-on-host"],
  "resource-exhaustion": ["memory-climbs", "restart-clears"],
  "data-validation": input,
  boundary: input,
  "parse-error": input,
  encoding: input,
  "null-dereference": code,
  "type-mismatch": code,
  "missing-await": code,
  "unhandled-rejection": code,
  concurrency: code,
  "infinite-loop": code,
  unknown: code,
};

/**
 * What nearly any cause lets one expect as well: a failure that is not mended comes again, in new processes too, and the
 * same place in the code mostly serves the same route.
 */
const common: readonly Kind[] = ["failure-continues", "only-on-route", "restart-keeps"];
/** But for causes that a restart clears. */
const clearedByRestart: readonly Category[] = ["resource-exhaustion"];

/** Whether a cause of this category lets one expect what is watched for as well, so that it tells nothing apart. */
export function isExpectedOf(category: Category, { kind }: Watch): boolean {
  if (kindsOf[category].includes(kind)) return true;
  return common.includes(kind) && !(kind === "restart-keeps" && clearedByRestart.includes(category));
}

/** What a candidate lets one expect, as far as the telemetry can tell; nothing without a failure that it knows. */
export function watchesOf(candidate: Ranked, findings: Findings, from: string): Watch[] {
  const { event, incident } = findings;
  if (!event || incident.fingerprint === null) return [];
  const failure = { fingerprint: incident.fingerprint, service: event.service, env: event.env, from };
  const kinds: readonly Kind[] = [...kindsOf[candidate.category], "failure-continues"];
  return kinds.flatMap((kind) => watchOf(kind, failure, findings) ?? []);
}

type Failure = Pick<Watch, "fingerprint" | "service" | "env" | "from">;

/** Null when what the kind is about is not known. */
function watchOf(kind: Kind, failure: Failure, findings: Findings): Watch | null {
  const { event } = findings;
  if (!event) return null;
  switch (kind) {
    case "failure-continues":
    case "restart-keeps":
      return { kind, ...failure, release: event.release };
    case "only-in-release":
    case "stops-with-release":
      return event.release === "" ? null : { kind, ...failure, release: event.release };
    case "only-with-failed-call":
    case "stops-with-recovery": {
      const [call] = troubledCalls(findings);
      return call ? { kind, ...failure, upstream: call.host } : null;
    }
    case "only-on-route":
      return event.request?.route ? { kind, ...failure, route: event.request.route } : null;
    case "only-on-host":
      return { kind, ...failure, host: event.host };
    case "restart-clears":
      return { kind, ...failure, instance: event.instance };
    case "memory-climbs":
      return speaksOfMemory(findings) ? { kind, ...failure } : null;
  }
}

/** Resources run out in many ways; this one shows in the heartbeats. */
function speaksOfMemory({ error, signatures }: Findings): boolean {
  const said = [
    error.headline,
    ...error.exceptions.map(({ message }) => message),
    ...signatures.map(({ matched }) => matched),
  ];
  return said.some((text) => /\b(?:heap|memory)\b/i.test(text.slice(0, 2_000)));
}
