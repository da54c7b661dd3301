import { activityText, type Incident, isRegressed, type Lifecycle, muteEndText, renewalText } from "@whence/protocol";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { sentenceTime } from "../../../lib/times.ts";
import styles from "./lifecycle-state.module.css";

/** What people decided about an incident; nothing while it is open, unless it came back after it was resolved. */
export function LifecycleBadge({ lifecycle }: { readonly lifecycle: Lifecycle }): JSX.Element | null {
  const { state, mute, resolved_in: how } = lifecycle;
  if (isRegressed(lifecycle)) return <Badge tone="critical">Regressed</Badge>;
  if (state === "open") return null;
  if (state === "ignored") return <Badge tone="low">Ignored</Badge>;
  if (state === "muted") return <Badge tone="low">Muted {mute ? muteEndText(mute, shortTime) : ""}</Badge>;
  return <Badge tone="good">{how === "next-release" ? "Resolved in the next release" : "Resolved"}</Badge>;
}

/** What a new release or a return changed, and who did what when. */
export function LifecycleHistory({ incident }: { readonly incident: Incident }): JSX.Element | null {
  const { lifecycle, activity = [] } = incident;
  if (activity.length === 0) return null;
  const isRunning = incident.status === "queued" || incident.status === "investigating";
  const { renewal } = lifecycle;
  return (
    <div className={styles.history}>
      {renewal && (isRunning || renewal.same_cause !== null) ? <p role="status">{renewalText(renewal)}</p> : null}
      <details>
        <summary>Activity</summary>
        <ul>
          {activity.map((one) => (
            <li key={`${one.at} ${one.kind}`}>
              {one.by === null ? null : `${one.by.name} `}
              {activityText(one, shortTime)}, <TimeAgo at={one.at} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function shortTime(at: string): string {
  return sentenceTime(at, Date.now());
}
