import {
  confidenceText,
  doNow,
  type Evidence,
  type Incident,
  type Location,
  type Report,
  type SharedReport,
  shortPath,
  withoutHomeFolders,
} from "@whence/protocol";

/** Evidence that quotes what users sent. What is said from it alone isn't shared. */
const personalKinds: ReadonlySet<Evidence["source"]["kind"]> = new Set(["request", "breadcrumb"]);
/** An absolute path with at least two folders, as gaps quote those of files. */
const quotedPath = /(?<=`)(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^`\\/]+(?:[\\/][^`\\/]+){2,}(?=`)/g;
const citations = / ?\[e\d+(?:, ?e\d+)*\]/g;

/** Returns what people without an account see of an incident's report: no evidence, and nothing that cites requests. */
export function sharedReport(incident: Incident, report: Report, expiresAt: string): SharedReport {
  const { title, severity, lifecycle, service, env, created_at } = incident;
  const { root_cause: cause, impact } = report;
  const personal = new Set(report.evidence.filter(({ source }) => personalKinds.has(source.kind)).map(({ id }) => id));
  const mayBeShared = ({ evidence_ids: ids }: { readonly evidence_ids: readonly string[] }): boolean =>
    !ids.some((id) => personal.has(id));
  return withoutHomeFolders({
    title,
    severity,
    state: lifecycle.state,
    service,
    env,
    created_at,
    expires_at: expiresAt,
    root_cause: {
      summary: uncited(report.root_cause_summary),
      category: cause.category,
      service: cause.service,
      location: placeOf(cause.location),
    },
    confidence: uncited(confidenceText(report.confidence)),
    chain: report.chain.filter(mayBeShared).map((link) => ({
      what: uncited(link.what),
      service: link.service ?? null,
      release: link.release ?? null,
      location: placeOf(link.location ?? null),
      at: link.at ?? null,
    })),
    do_now: doNow(report).filter(mayBeShared).map(solution),
    prevent: report.long_term_solutions.filter(mayBeShared).map(solution),
    impact: {
      events: impact.events,
      first_seen: impact.first_seen,
      last_seen: impact.last_seen,
      services: impact.services,
      releases: impact.releases,
    },
    not_checked: report.not_checked.map((gap) => uncited(gap).replaceAll(quotedPath, (path) => shortPath(path))),
  });
}

function solution({
  title,
  detail,
}: {
  readonly title: string;
  readonly detail: string;
}): SharedReport["do_now"][number] {
  return { title: uncited(title), detail: uncited(detail) };
}

/** The folders of a machine are no one else's business. */
function placeOf(location: Location | null): Location | null {
  return location && { ...location, file: shortPath(location.file) };
}

/** The evidence isn't there to be looked up. */
function uncited(text: string): string {
  return text.replaceAll(citations, "");
}
