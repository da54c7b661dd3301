import type { Category } from "@whence/protocol";
import type { Findings, OutgoingCall, ParsedException, Ranked } from "../findings.ts";
import { observeBreadcrumb, observeException } from "../observe.ts";
import { categoryOf, recentCalls, troubledCalls } from "./category.ts";
import { weights } from "./weights.ts";

/** Causes outside this process that its own breadcrumbs tell of: a dependency that failed. */
export function outsideCandidates(findings: Findings): Ranked[] {
  const { event } = findings;
  const calls = isAboutAnswer(findings)
    ? [...troubledCalls(findings), ...recentCalls(findings)]
    : troubledCalls(findings);
  const call = calls[0];
  if (!event || !call) return [];
  const observed = observeBreadcrumb(event, call.index);
  const first = firstException(findings);
  const evidence = [observed, first ? observeException(findings, first) : null].filter((one) => one !== null);
  const answering = serviceAt(call.host, findings);
  const own = findings.frames.find(({ frame }) => frame.origin === "app");
  return [
    {
      category: categoryOfCall(call, findings),
      statement: call.host,
      ...(answering === null ? {} : { service: answering }),
      location: own
        ? { file: own.file, line: own.frame.line, function: own.place?.function ?? own.frame.function }
        : null,
      place: own?.place ?? null,
      score: scoreOf(call, findings),
      reason: "a dependency that failed shortly before",
      evidence,
      support: [],
      against: call.trouble === null ? ["the call itself succeeded"] : [],
      subject: call.host,
      clue: null,
    },
  ];
}

/** Who answers at a host, as far as the telemetry tells. */
function serviceAt(host: string, { observations }: Findings): string | null {
  for (const { fact } of observations) {
    if (fact?.kind === "failing-calls" && fact.calls.host === host) return fact.calls.service;
  }
  return null;
}

function scoreOf(call: OutgoingCall, findings: Findings): number {
  if (isAboutAnswer(findings)) return call.trouble === null ? weights.unreadableAnswer : weights.refusedAnswer;
  return weights.failingDependency;
}

/** An answer that could not be read says more about who answered than about who read it. */
function isAboutAnswer(findings: Findings): boolean {
  return ["upstream-bad-response", "parse-error"].includes(categoryOf(findings));
}

function categoryOfCall(call: OutgoingCall, findings: Findings): Category {
  const overall = categoryOf(findings);
  if (["network-unreachable", "timeout", "auth"].includes(overall)) return overall;
  if (call.data.status_code === undefined && call.trouble !== null) return "dependency-outage";
  return "upstream-bad-response";
}

function firstException({ error }: Findings): ParsedException | null {
  return error.exceptions[error.chain[0] ?? -1] ?? null;
}
