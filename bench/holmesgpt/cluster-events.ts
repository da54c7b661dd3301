import type { OutsideFinding } from "@whence/protocol";
import { eventFindings } from "../../services/vendors/src/kubernetes/event-findings.ts";
import type { ToolOutput } from "./questions.ts";

/** A row of the events that `kubectl describe` prints: its type, reason, age, sender, and message. */
const warning = /^\s+Warning\s+(\w+)\s+\S.*?\s{2,}\S+\s{2,}(\S.*)$/;
const described = /^Name:\s+(\S+)$/m;

/** Returns the warnings about what was described, as the Kubernetes integration answers them. */
export function warningsIn({ text }: ToolOutput, at: string): readonly OutsideFinding[] {
  const name = described.exec(text)?.[1];
  if (name === undefined) return [];
  const time = new Date(at);
  const events = text.split("\n").flatMap((line) => {
    const [, reason, message] = warning.exec(line) ?? [];
    const common = { metadata: { name, namespace: "", creationTimestamp: time }, involvedObject: { name } };
    return reason === undefined ? [] : [{ ...common, reason, message, firstTimestamp: time, lastTimestamp: time }];
  });
  const about = { service: name, env: "", release: "", host: "", route: null, errors: [], calledHosts: [] };
  return eventFindings(events, new Set([name]), { ...about, at, from: at, to: at });
}
