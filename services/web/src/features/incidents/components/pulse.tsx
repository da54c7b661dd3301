import { useQuery } from "@tanstack/react-query";
import type { Incident } from "@whence/protocol";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { fullTime, sentenceTime } from "../../../lib/times.ts";
import { useNow } from "../../../lib/use-now.ts";
import { incidentTelemetryQuery } from "../api/get-telemetry.ts";
import { pulseOf } from "../pulse.ts";

const everyMs = 15_000;

/** Whether the failure still happens, how often it did, and since when. */
export function PulseLine({ incident }: { readonly incident: Incident }): JSX.Element | null {
  const now = useNow(everyMs);
  const { data: telemetry } = useQuery({
    ...incidentTelemetryQuery(incident.id),
    enabled: incident.fingerprint !== null || incident.service !== null,
  });
  const pulse = pulseOf(incident, telemetry, now);
  if (pulse === null) return null;
  const { events, isHappening, lastSeen, since, trend } = pulse;
  return (
    <>
      <Badge tone={isHappening ? "high" : "low"}>{isHappening ? "Still happening" : "Quiet"}</Badge>
      <span>
        {events.toLocaleString()} {events === 1 ? "event" : "events"}
        {trend === null ? "" : `, ${trend}`}
      </span>
      {telemetry === undefined || telemetry.users === 0 ? null : (
        <span title="As your program names them with setUser">
          {telemetry.users.toLocaleString()} {telemetry.users === 1 ? "user" : "users"}
        </span>
      )}
      {since === null ? null : (
        <span>
          since{" "}
          <time dateTime={since} title={fullTime(since)}>
            {sentenceTime(since, now)}
          </time>
        </span>
      )}
      <span>
        last seen <TimeAgo at={lastSeen} />
      </span>
    </>
  );
}
