import { type Candidate, doNow, type Incident } from "@whence/protocol";
import { isNoise } from "./noise.ts";
import { firstRelease } from "./releases.ts";
import type { FaultRun } from "./run-fault.ts";

/** The result for one fault. */
export interface Score {
  readonly fault: string;
  readonly causedBy: string;
  readonly withDecoys: boolean;
  /** The services that the first incident's report suspects, the most likely first. */
  readonly suspected: readonly string[];
  readonly isFirst: boolean;
  readonly isInFirstThree: boolean;
  readonly category: string | null;
  readonly isCategoryRight: boolean;
  /** Whether the first file in the report has the mistake; null for a fault without one in a file. */
  readonly isFileFirst: boolean | null;
  readonly isFileInFirstThree: boolean | null;
  /** Whether a roll-back that the report suggests, of a service and to a release, undoes the fault; null without one. */
  readonly isRollbackRight: boolean | null;
  /** Whether the fault is a release, which a roll-back undoes. */
  readonly isReleased: boolean;
  readonly incidents: number;
  /** The number of further incidents whose first suspect is the right service. */
  readonly agreeing: number;
  /** Time from the first bad event, or from the injection without one, to the first incident's report. */
  readonly reportMs: number | null;
  /** The baseline: the service with the most errors before the report; null without errors. */
  readonly loudest: string | null;
}

/** The largest k of AC@k, as in published benchmarks of root-cause analysis (RCAEval: k of 1, 3, and 5). */
const lastCounted = 3;

/** Compares the observations of a fault with the truth. */
export function scoreOf({ fault, injectedAt, incidents, errors }: FaultRun): Score {
  const [first, ...further] = incidents;
  const suspected = first ? suspectedBy(first) : [];
  const files = first ? filesNamedBy(first) : [];
  const cause = first?.report?.root_cause;
  const completedAt = first?.completed_at ? Date.parse(first.completed_at) : null;
  const firstBadAt = errors.find(({ at, message }) => at >= injectedAt && !isNoise(message))?.at ?? injectedAt;
  return {
    fault: fault.name,
    causedBy: fault.causedBy,
    withDecoys: fault.decoys.length > 0,
    suspected,
    isFirst: suspected[0] === fault.causedBy,
    isInFirstThree: suspected.slice(0, lastCounted).includes(fault.causedBy),
    category: cause?.category ?? null,
    isCategoryRight: cause !== undefined && fault.categories.includes(cause.category),
    isFileFirst: hasMistake(fault, files.slice(0, 1)),
    isFileInFirstThree: hasMistake(fault, files.slice(0, lastCounted)),
    isRollbackRight: first ? rollsBackRight(fault, first) : null,
    isReleased: releasedServices(fault).length > 0,
    incidents: incidents.length,
    agreeing: further.filter((incident) => suspectedBy(incident)[0] === fault.causedBy).length,
    reportMs: completedAt === null ? null : completedAt - Math.min(firstBadAt, completedAt),
    loudest: loudest(
      errors.filter(({ at }) => completedAt === null || at <= completedAt).map(({ service }) => service),
    ),
  };
}

/** Returns each service once, in the order of the candidates. */
function suspectedBy({ report }: Incident): string[] {
  const services = [report?.root_cause, ...(report?.candidates ?? [])].flatMap((cause) => cause?.service ?? []);
  return [...new Set(services)];
}

/** Returns each file once, in the order of the candidates. A root cause without a file counts as the first. */
function filesNamedBy({ report }: Incident): string[] {
  const [first, ...others] = [report?.root_cause, ...(report?.candidates.slice(1) ?? [])];
  return [...new Set([first ? fileOf(first) : "", ...others.map(fileOf).filter((file) => file !== "")])];
}

/** Returns the path below the shop's folder, since uploads have paths below the service's; empty without a file. */
function fileOf({ location, service }: Pick<Candidate, "location" | "service">): string {
  return location ? `${service ?? ""}/${location.file}` : "";
}

function rollsBackRight(fault: FaultRun["fault"], { report }: Incident): boolean | null {
  const [back] = (report ? doNow(report) : []).flatMap(({ rolls_back: release }) => release ?? []);
  return back ? releasedServices(fault).includes(back.service) && back.to === firstRelease : null;
}

function releasedServices({ inject }: FaultRun["fault"]): readonly string[] {
  return inject.flatMap((one) => (one.kind === "deploy" ? [one.service] : []));
}

function hasMistake({ files }: FaultRun["fault"], named: readonly string[]): boolean | null {
  return files.length === 0 ? null : named.some((name) => files.some((file) => name.endsWith(file)));
}

function loudest(services: readonly string[]): string | null {
  const counts = Map.groupBy(services, (service) => service);
  const [most] = [...counts].toSorted(([, left], [, right]) => right.length - left.length);
  return most?.[0] ?? null;
}
