import type { ServiceDetail, ServiceRelease } from "@whence/protocol";
import type { JSX } from "react";
import { DataTable } from "../../../components/data-table.tsx";
import { Panel } from "../../../components/panel.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { percentText, shareOf } from "../error-rate.ts";
import { countedSince, crashFreeText } from "../session-counts.ts";

/** The releases that ran in the span, each with what it failed. */
export function ServiceReleases({ detail }: { readonly detail: ServiceDetail }): JSX.Element | null {
  const { releases } = detail;
  if (releases.length === 0) return null;
  const hasSessions = releases.some(({ sessions }) => sessions !== null);
  const hasUnhandled = releases.some(({ unhandled_sessions: unhandled }) => (unhandled ?? 0) > 0);
  const areCounted = releases.some(({ requests }) => requests !== null);
  const since = countedSince(detail, Date.now());
  return (
    <Panel title="Releases compared">
      <DataTable
        label="Failures by release"
        columns={[
          { name: "Release" },
          { name: "Since" },
          { name: "Failing events", isNumber: true },
          ...(areCounted ? [{ name: "Failed requests", isNumber: true }] : []),
          ...(hasSessions ? [{ name: `Crash-free sessions${since}`, isNumber: true }] : []),
          ...(hasUnhandled ? [{ name: `With unhandled errors${since}`, isNumber: true }] : []),
          { name: "Live processes", isNumber: true },
        ]}
        rows={releases.map((release) => ({
          key: release.release ?? "",
          cells: [
            release.release ?? "No release",
            release.since === null ? "–" : <TimeAgo at={release.since} />,
            release.failures.toLocaleString(),
            ...(areCounted ? [failedText(release)] : []),
            ...(hasSessions ? [sessionsText(release)] : []),
            ...(hasUnhandled ? [unhandledText(release)] : []),
            release.live_processes.toLocaleString(),
          ],
        }))}
      />
    </Panel>
  );
}

function sessionsText({ sessions, crashed_sessions: crashed }: ServiceRelease): string {
  if (sessions === null) return "–";
  return `${crashFreeText({ sessions, crashed: crashed ?? 0 })} of ${sessions.toLocaleString()}`;
}

function unhandledText({ sessions, unhandled_sessions: unhandled }: ServiceRelease): string {
  if (sessions === null || unhandled === null) return "–";
  return `${percentText(shareOf({ requests: sessions, failed: unhandled }))} of ${sessions.toLocaleString()}`;
}

function failedText({ requests, failed_requests: failed }: ServiceRelease): string {
  if (requests === null) return "–";
  return `${percentText(shareOf({ requests, failed: failed ?? 0 }))} of ${requests.toLocaleString()}`;
}
