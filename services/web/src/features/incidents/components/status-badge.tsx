import type { Category, IncidentStatus } from "@whence/protocol";
import type { JSX } from "react";
import { Badge, type Tone } from "../../../components/badge.tsx";

const statusTones: Readonly<Record<IncidentStatus, Tone>> = {
  queued: "busy",
  investigating: "busy",
  completed: "good",
  failed: "critical",
  merged: "low",
};

export const statusNames: Readonly<Record<IncidentStatus, string>> = {
  queued: "Queued",
  investigating: "Investigating",
  completed: "Investigated",
  failed: "Failed",
  merged: "Merged",
};

interface StatusProps {
  readonly status: IncidentStatus;
  /** Of its report; `unknown`: what was sent is no failure, or has no explanation. */
  readonly category?: Category | null | undefined;
}

/** The state of its investigation. */
export function StatusBadge({ status, category }: StatusProps): JSX.Element {
  if (status === "completed" && category === "unknown") return <Badge tone="low">No cause found</Badge>;
  return <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>;
}
