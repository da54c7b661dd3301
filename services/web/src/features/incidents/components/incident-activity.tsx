import { activityText, type Incident, renewalText } from "@whence/protocol";
import { type JSX, useEffect, useRef, useState } from "react";
import { TimeAgo } from "../../../components/time.tsx";
import { sentenceTime } from "../../../lib/times.ts";
import { useKeys } from "../../../lib/use-keys.ts";
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
  useKeys({
    c: () => {
      setOpen(true);
      setAsked(true);
    },
  });
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
            <ul>
              {activity.map((one) => (
                <li key={`${one.at} ${one.kind}`}>
                  {one.by === null ? null : `${one.by.name} `}
                  {activityText(one, shortTime)}, <TimeAgo at={one.at} />
                  {one.comment ? <p className={styles.comment}>{one.comment.text}</p> : null}
                </li>
              ))}
            </ul>
          </>
        ) : null}
      </details>
    </div>
  );
}

function shortTime(at: string): string {
  return sentenceTime(at, Date.now());
}
