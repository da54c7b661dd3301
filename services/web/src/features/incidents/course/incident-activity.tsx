import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Activity, activityText, type Incident, renewalText } from "@whence/protocol";
import { type JSX, useEffect, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { sentenceTime } from "../../../lib/times.ts";
import { useCommands } from "../../../lib/use-commands.ts";
import { activityQuery } from "../api/get-activity.ts";
import { CommentForm } from "./comment-form.tsx";
import styles from "./incident-activity.module.css";

interface IncidentActivityProps {
  readonly incident: Incident;
  readonly organizationId: string | null;
}

/** What a new release or a return changed, who did what when, and a box for comments: `c` opens it. */
export function IncidentActivity({ incident, organizationId }: IncidentActivityProps): JSX.Element {
  const { lifecycle, activity = [], merged_into: mergedInto } = incident;
  const isRunning = incident.status === "queued" || incident.status === "investigating";
  const { renewal } = lifecycle;
  const [isOpen, setOpen] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const comment = (): void => {
    setOpen(true);
    setAsked(true);
  };
  useCommands([{ key: "c", label: "Comment on this incident", icon: "analyze", run: comment }]);
  useEffect(() => {
    if (!isAsked) return;
    box.current?.focus();
    setAsked(false);
  }, [isAsked]);
  return (
    <div className={styles.activity}>
      {renewal && (isRunning || renewal.same_cause !== null) ? <p role="status">{renewalText(renewal)}</p> : null}
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Activity</summary>
        {isOpen ? (
          <>
            {mergedInto === undefined ? (
              <CommentForm id={incident.id} organizationId={organizationId} ref={box} />
            ) : null}
            <ActivityList incidentId={incident.id} latest={activity} />
          </>
        ) : null}
      </details>
    </div>
  );
}

interface ActivityListProps {
  readonly incidentId: string;
  readonly latest: readonly Activity[];
}

/** A page that the incident itself has. */
const latestMax = 50;

/** What happened, the newest first; what is earlier than the incident itself has is read on request. */
function ActivityList({ incidentId, latest }: ActivityListProps): JSX.Element {
  const { data, hasNextPage, isFetching, refetch, fetchNextPage } = useInfiniteQuery({
    ...activityQuery(incidentId),
    enabled: false,
  });
  const all = [...latest, ...(data?.pages.flatMap(({ activity }) => activity) ?? [])];
  const shown = [...new Map(all.map((one) => [keyOf(one), one])).entries()];
  const hasMore = data === undefined ? latest.length >= latestMax : hasNextPage;
  const showMore = async (): Promise<void> => {
    // The first page is what the incident has, with the place of the second.
    if (data === undefined) await refetch();
    await fetchNextPage();
  };
  return (
    <>
      <ul>
        {shown.map(([key, one]) => (
          <li key={key}>
            {one.by === null ? null : `${one.by.name} `}
            {activityText(one, shortTime)}, <TimeAgo at={one.at} />
            {one.incident ? (
              <>
                {" "}
                <Link to={paths.incident} params={{ id: one.incident.id }}>
                  Open that incident
                </Link>
              </>
            ) : null}
            {one.comment ? <p className={styles.comment}>{one.comment.text}</p> : null}
          </li>
        ))}
      </ul>
      {hasMore ? (
        <div>
          <Button busy={isFetching} onClick={() => void showMore()}>
            Show earlier activity
          </Button>
        </div>
      ) : null}
    </>
  );
}

function keyOf({ at, kind }: Activity): string {
  return `${at} ${kind}`;
}

function shortTime(at: string): string {
  return sentenceTime(at, Date.now());
}
