import type { Severity } from "@whence/protocol";
import type { JSX } from "react";
import { Badge } from "./badge.tsx";

const severityNames: Readonly<Record<Severity, string>> = {
  low: "Low",
  medium: "Medium",
  high: "High",
  critical: "Critical",
};

/** The severity of an incident. */
export function SeverityBadge({ severity }: { readonly severity: Severity }): JSX.Element {
  return <Badge tone={severity}>{severityNames[severity]}</Badge>;
}
