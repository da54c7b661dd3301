import type { OutgoingCall } from "../../findings/findings.ts";
import { inlineCode } from "../../words/prose.ts";

/** An outgoing call and its outcome. */
export function callText({ data, host, trouble }: OutgoingCall): string {
  const path = URL.canParse(data.url) ? new URL(data.url).pathname : "";
  const took = data.duration_ms === undefined ? "" : ` after ${Math.round(data.duration_ms)} ms`;
  return `${inlineCode(`${data.method} ${host}${path}`)} ${outcome(trouble, data.status_code)}${took}`;
}

function outcome(trouble: string | null, status: number | undefined): string {
  if (trouble === null) return status === undefined ? "has no answer yet" : `returned ${status}`;
  const failed = "failed: ";
  if (trouble.startsWith(failed)) return `failed with ${inlineCode(trouble.slice(failed.length))}`;
  return status === undefined ? trouble : `returned ${status}`;
}
