import type { Circumstances, TraceStep } from "@whence/storage";

/** Fingerprints of events have another form. */
const stepMark = "span ";

/** Whether it is one of {@link failedSteps}, which has no event. */
export function isStep({ fingerprint }: Pick<Circumstances, "fingerprint">): boolean {
  return fingerprint.startsWith(stepMark);
}

/**
 * Returns the failures that spans show of services without a failure of their own among the events of a trace: for each
 * service and trace the earliest request or message that it failed to handle, with its calls.
 */
export function failedSteps(spans: readonly TraceStep[], events: readonly Circumstances[]): Circumstances[] {
  const known = new Set(events.flatMap((one) => (one.fingerprint === "" ? [] : [`${one.traceId} ${one.service}`])));
  const byService = Map.groupBy(spans, ({ traceId, service }) => `${traceId} ${service}`);
  return [...byService].flatMap(([key, steps]) => {
    const oldestFirst = steps.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
    const failed = oldestFirst.find(({ kind, error }) => (kind === "server" || kind === "consumer") && error !== null);
    return failed && !known.has(key) ? [circumstancesOf(failed, oldestFirst)] : [];
  });
}

function circumstancesOf(failed: TraceStep, steps: readonly TraceStep[]): Circumstances {
  const { spanId, traceId, service, release, host, instance, method, target, statusCode, error, name } = failed;
  const answered = statusCode === null ? "failed" : `was answered with ${statusCode}`;
  return {
    id: spanId,
    service,
    release,
    host,
    instance,
    runtime: "",
    fingerprint: `${stepMark}${name}`,
    traceId,
    // A span begins before what it calls; its failure comes when it ends.
    at: new Date(Date.parse(failed.at) + failed.durationMs).toISOString(),
    message: `${name} ${answered}${error ? `: ${error}` : ""}`,
    method,
    path: target,
    route: "",
    calledAs: "",
    userAgent: "",
    calls: steps.flatMap(({ call }) => call ?? []),
  };
}
