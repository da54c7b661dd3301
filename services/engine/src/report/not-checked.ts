import { type IntegrationKindName, isCrashLoop, type ProcessExit } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import type { LocatedFrame } from "../findings/located-frame.ts";
import { failureContextOf } from "../outside/failure-context.ts";
import { causeOf, relate } from "../outside/relate.ts";
import type { Gap } from "../signals/gap.ts";
import { contradictionAt } from "../source/other-version.ts";
import type { Traced } from "../trace/traced.ts";
import type { Messages } from "./messages.en.ts";
import { isInstalledFrame } from "./nouns.ts";

/** Returns what an investigation couldn't see, in words, each once. */
export function notChecked(findings: Findings, traced: Traced, messages: Messages): string[] {
  const gaps = [
    ...findings.notChecked,
    ...(findings.exit ? exitGaps(findings.exit, findings) : gapsOf(findings, traced)),
    ...notConnected(findings),
  ];
  return [...new Set(gaps.map((gap) => messages.gap(gap)))];
}

function gapsOf(findings: Findings, { leftOut }: Traced): Gap[] {
  const { event, about, files, frames, error } = findings;
  const own = frames.filter(({ frame }) => frame.origin === "app");
  const blind = own.filter((one) => !hasText(one));
  const isEventAlone = event !== null && own.length > blind.length && !hasSource(findings);
  return [
    ...error.unread,
    ...otherVersions(findings),
    ...leftOut.map((one) => ({ kind: "code-left-out" as const, ...one })),
    ...(event ? [] : aboutText(findings)),
    ...(!event && !about && files.length === 0 ? [{ kind: "no-files" as const }] : []),
    ...(isEventAlone ? [{ kind: "no-source" as const, service: event.service, release: event.release }] : []),
    ...(own.length > 0 && blind.length > 0
      ? [{ kind: "frames-without-text" as const, frames: blind.length, of: own.length }]
      : []),
    ...(frames.length > 0 && frames.every((one) => isElsewhere(one, files)) ? [{ kind: "no-own-frame" as const }] : []),
  ];
}

/** Returns whether a call ran in the runtime or in an installed package. */
function isElsewhere(one: LocatedFrame, files: Findings["files"]): boolean {
  return one.frame.origin === "runtime" || isInstalledFrame(one, files);
}

/** Returns what couldn't be seen of a failure without an event. */
function aboutText({ about, observations }: Findings): Gap[] {
  if (!about) return [{ kind: "no-telemetry" }];
  const { service, isInTelemetry } = about;
  if (service === null) return [{ kind: "no-service" }];
  if (!isInTelemetry) return [{ kind: "not-in-telemetry", service }];
  const hasFailed = observations.some(
    ({ fact }) => fact.kind === "related-failure" && fact.failure.service === service,
  );
  return hasFailed ? [] : [{ kind: "no-event", service }];
}

/** Returns whether the code of a frame is available: attached, sent with the event, or printed in the traceback. */
function hasText({ place, frame }: LocatedFrame): boolean {
  return place !== null || frame.context !== null || frame.code !== undefined;
}

/** Returns whether there were files of the failing service, even if none of those that were wanted could be read. */
function hasSource({ files, readByModel = [], notChecked: known }: Findings): boolean {
  return files.length > 0 || readByModel.length > 0 || known.some(({ kind }) => kind === "files-not-read");
}

/** Returns the files whose lines aren't those that the stack prints, with the frame of each that shows it best. */
function otherVersions({ frames, files }: Findings): Gap[] {
  const given = new Map(files.map((file) => [file.name, file]));
  const byFile = new Map<string, Gap<"other-version">>();
  for (const { file, frame, place } of frames) {
    const { line, code } = frame;
    const source = given.get(file);
    const known = byFile.get(file);
    if (line === null || !source || known?.holds) continue;
    const isThere = place !== null && (code === undefined || place.source.line(place.line).trim() === code);
    if (isThere && (code === undefined || place.line === line)) continue;
    const without = code === undefined ? contradictionAt(source, line) : null;
    const holds = without === "blank" || without === "comment" ? { holds: without } : {};
    if (known && !("holds" in holds)) continue;
    const now = isThere ? place.line : null;
    byFile.set(file, { kind: "other-version", file, line, code: code ?? null, now, ...holds });
  }
  return [...byFile.values()];
}

/** Kinds of integrations that have the output of processes. */
const logKinds: readonly IntegrationKindName[] = [
  ...(["kubernetes", "logs", "log-queries", "search", "cloud-monitoring", "dashboards", "observability"] as const),
];
/** Kinds of integrations that know what was deployed. */
const deploymentKinds: readonly IntegrationKindName[] = [
  ...(["hosting", "kubernetes", "github", "gitlab", "metrics-application-key"] as const),
];

/** Returns the kinds of integrations that would have helped with this failure, when none of them is connected. */
function notConnected(findings: Findings): Gap[] {
  const { connected, event, about } = findings;
  const service = event?.service ?? about?.service ?? null;
  if (!connected || service === null) return [];
  const unreached = failureContextOf(findings).called.find(({ hasFailed, hasAnswered }) => hasFailed && !hasAnswered);
  const host = unreached?.host ?? null;
  const release = event?.release ?? about?.release ?? "";
  const hasDeploys = release !== "" || deploymentKinds.some((kind) => connected.includes(kind));
  return [
    ...(host === null || connected.includes("network") ? [] : [{ kind: "network-not-connected" as const, host }]),
    ...(hasDeploys ? [] : [{ kind: "deployments-not-connected" as const, service }]),
  ];
}

function exitGaps(exit: ProcessExit, findings: Findings): Gap[] {
  const { processes } = exit;
  const { connected = [] } = findings;
  const areLogsConnected = logKinds.some((kind) => connected.includes(kind));
  const context = failureContextOf(findings);
  // A third party's finding about the pod itself shows how it ended.
  const isSeen = findings.observations.some((one) => {
    const cause = causeOf(one);
    return cause?.kind === "problem" && cause.what === "out-of-memory" && relate(cause, context)?.kind === "own-host";
  });
  const unread = processes.filter(({ readings }) => readings.length === 0).length;
  return [
    ...(isSeen ? [] : [{ kind: "machine" as const, isKubernetesConnected: connected.includes("kubernetes") }]),
    ...(isCrashLoop(exit)
      ? [{ kind: "process-output" as const, areLogsConnected }, { kind: "planned-runs" as const }]
      : []),
    ...(processes.every(({ breadcrumbs }) => breadcrumbs.length === 0) ? [{ kind: "no-last-activity" as const }] : []),
    ...(unread > 0 ? [{ kind: "no-heartbeats" as const, processes: unread }] : []),
  ];
}
