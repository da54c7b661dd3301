import { useQuery } from "@tanstack/react-query";
import type { ReportedRelease } from "@whence/protocol";
import type { JSX } from "react";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { ExternalLink } from "../../../components/external-link.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { alertSourcesQuery } from "../api/alert-sources.ts";
import { releasesQuery, removeRelease } from "../api/releases.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { CommitId } from "./commit-id.tsx";
import { KeyName } from "./key-name.tsx";

/** The releases reported as live by CI or an alert source, with the reporter. */
export function ReportedReleases(): JSX.Element {
  const releases = useQuery(releasesQuery);
  return (
    <Panel
      title="Reported releases"
      note={
        <>
          Releases that were reported as live, which reports compare failures with.{" "}
          <a href="/docs/changes#report-releases">How to report one</a>
        </>
      }
    >
      <Loaded query={releases} lines={2}>
        {(reported) => (
          <Rows none="No release was reported. Without reports, a release is known from its first event on.">
            {reported.map((one) => (
              <Release key={JSON.stringify([one.service, one.release, one.env, one.live_at])} reported={one} />
            ))}
          </Rows>
        )}
      </Loaded>
    </Panel>
  );
}

function Release({ reported }: { readonly reported: ReportedRelease }): JSX.Element {
  const { isOwner } = useViewer();
  const { service, release, env, commit, url, live_at, reported_by } = reported;
  return (
    <Row
      title={
        <>
          {service} <code>{release}</code>
        </>
      }
      facts={[
        <>
          live in {env} since <TimeAgo at={live_at} />
        </>,
        commit === null ? null : <CommitId id={commit} />,
        <>
          reported by <ReporterName id={reported_by} />
        </>,
        url === null ? null : <ExternalLink href={url}>Details</ExternalLink>,
      ]}
      actions={isOwner ? <Remove service={service} release={release} /> : null}
    />
  );
}

function ReporterName({ id }: { readonly id: string }): JSX.Element {
  const { data } = useQuery({ ...alertSourcesQuery, refetchInterval: false });
  return <>{data?.alert_sources.find((source) => source.id === id)?.name ?? <KeyName id={id} />}</>;
}

function Remove({ service, release }: Pick<ReportedRelease, "service" | "release">): JSX.Element {
  const change = useChange();
  return (
    <ConfirmButton
      label="Remove"
      of={`the reports of ${service} ${release}`}
      title={`Remove the reports of ${service} ${release}?`}
      action={() => change(removeRelease(service, release), "Reports removed")}
    >
      <p>
        They are removed from all environments. New reports on failures know this release only from its events. This
        can't be undone.
      </p>
    </ConfirmButton>
  );
}
