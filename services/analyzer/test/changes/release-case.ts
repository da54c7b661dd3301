import { createHash, randomUUID } from "node:crypto";
import { eventSubject, exception, frameAt, investigated, reportedEvent } from "@whence/engine/testing";
import type { Breadcrumb, Exception, Report, SourceCommit, TelemetryEvent } from "@whence/protocol";
import type { ControlDb } from "@whence/storage";
import { changeCollector } from "../../src/changes/change-collector.ts";
import { uploadedChanges } from "../../src/changes/uploaded-changes.ts";
import { telemetryCollectors } from "../../src/collectors/index.ts";
import { withCode } from "../../src/sources/service-sources.ts";
import { uploadedSources } from "../../src/sources/uploaded-sources.ts";
import {
  before,
  failedAt,
  fingerprint,
  heartbeats,
  type Kept,
  type keptTelemetry,
} from "../collectors/kept-telemetry.ts";
import { silent } from "../test-service.ts";

/** Files of a release by their path below the service's folder. */
export type Files = Readonly<Record<string, string>>;

/** Two releases of a service; the second one went live shortly before the failure. */
export interface ReleaseCase {
  readonly service: string;
  readonly from: string;
  readonly to: string;
  readonly old: Files;
  readonly now: Files;
  readonly commit?: SourceCommit;
  /** Whether processes of the old release still ran when the failure began. */
  readonly isRolling?: boolean;
}

/** A failure of `orders` 1.4.2 and the releases around it. */
export interface FailureCase {
  /** What `orders` runs, unless a release says so. */
  readonly files: Files;
  readonly error: { readonly type: string; readonly message: string };
  /** Innermost first: the file, the code that it stands at, the function. */
  readonly stack: readonly (readonly [file: string, code: string, name?: string])[];
  /** Frames before those of the service: a third-party package's. */
  readonly packageFrames?: readonly (readonly [file: string, line: number, name: string])[];
  readonly breadcrumbs?: readonly Breadcrumb[];
  readonly request?: TelemetryEvent["request"];
  readonly releases: readonly ReleaseCase[];
  /** Failures of the old release, beside those of the new one: none by default. */
  readonly failures?: number;
  readonly more?: readonly Kept[];
  readonly trace?: TelemetryEvent["trace"];
}

export const ada: SourceCommit = {
  ...{ id: "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", author: "Ada Lovelace", subject: "rename amount" },
  at: before(3_600),
};

const folder = "/srv/orders/";
/** The new release went live so long before the failure. */
const liveMinutes = 3;
const ranMinutes = 60;
const sourceBytesMax = 10_000_000;

type Telemetry = ReturnType<typeof keptTelemetry>;

/** The report on a case, with its releases uploaded and their processes' heartbeats stored. */
export async function reportOn(one: FailureCase, telemetry: Telemetry): Promise<Report> {
  const control = telemetry.control();
  const scopeId = `org_${randomUUID()}`;
  const own = one.releases.find(({ service }) => service === "orders");
  const running = own?.now ?? one.files;
  if (!own) await uploadRelease(control, scopeId, { service: "orders", release: "1.4.2", files: one.files });
  for (const { service, from, to, old, now, commit } of one.releases) {
    await uploadRelease(control, scopeId, { service, release: from, files: old });
    await uploadRelease(control, scopeId, { service, release: to, files: now, ...(commit && { commit }) });
  }
  const exceptions = [exceptionOf(one, running)];
  const { breadcrumbs, request, trace } = one;
  const reported = {
    exceptions,
    ...(breadcrumbs && { breadcrumbs: [...breadcrumbs] }),
    ...(request && { request }),
    ...(trace && { trace }),
  };
  const failures = Array.from({ length: one.failures ?? 1 }, (_, index): Kept => {
    return { fingerprint, secondsBefore: 20 + 15 * index, event: { ...reported, exceptions } };
  });
  const lives = one.releases.flatMap(livesOf);
  const events = await telemetry.scoped([...lives, ...failures, ...(one.more ?? [])], scopeId);
  const sources = uploadedSources(control);
  const subject = await withCode(eventSubject(reportedEvent(reported)), scopeId, { sources, logger: silent });
  const collectors = telemetryCollectors(events, {
    more: (judged) => [changeCollector(judged, { scopeId, changes: uploadedChanges(control) })],
  });
  return (await investigated(subject, collectors)).report;
}

function exceptionOf({ error, stack, packageFrames = [] }: FailureCase, files: Files): Exception {
  const program = Object.fromEntries(Object.entries(files).map(([path, text]) => [folder + path, text]));
  const foreign = packageFrames.map(([file, line, name]) => ({
    ...{ file: folder + file, line, column: 5, in_app: false, function: name },
  }));
  const own = stack.map(([file, code, name]) => frameAt(program, folder + file, code, name));
  return exception(error.type, error.message, [...foreign, ...own]);
}

/** Heartbeats of both releases; `orders` is never without a process. */
function livesOf({ service, from, to, isRolling = false }: ReleaseCase): Kept[] {
  const old = { service, release: from, instance: `${service}-${from}` };
  const now = { service, release: to, instance: `${service}-${to}` };
  const beats = heartbeats(ranMinutes, old);
  return [...(isRolling ? beats : beats.slice(0, ranMinutes - liveMinutes - 1)), ...heartbeats(liveMinutes, now)];
}

/** Stores the sources of a release, as `whence sources upload` does. */
export async function uploadRelease(
  control: Pick<ControlDb, "scope">,
  scopeId: string,
  release: {
    readonly service: string;
    readonly release: string;
    readonly files: Files;
    readonly commit?: SourceCommit;
  },
): Promise<void> {
  const { sources } = control.scope(scopeId);
  const now = new Date(failedAt);
  await sources.addContents(Object.values(release.files), sourceBytesMax, now);
  const files = Object.entries(release.files).map(([path, text]) => ({
    path,
    sha256: createHash("sha256").update(text, "utf8").digest("hex"),
  }));
  const room = { releasesPerServiceMax: 20, bytesMax: sourceBytesMax };
  const { service, release: name, commit = null } = release;
  await sources.put({ service, release: name, commit, files, keyId: "key_ci", now }, room);
}

/** A request that another service answered well, just before the error. */
export function answered(service: string, path = "/7"): Breadcrumb {
  const data = { method: "GET", url: `http://${service}:8080${path}`, status_code: 200, duration_ms: 3 };
  return { timestamp: before(0.1), category: "http", level: "info", data };
}
