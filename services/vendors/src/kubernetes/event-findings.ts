import type { OutsideFinding } from "@whence/protocol";
import type { FailureQuestion } from "../integrations/integration.ts";
import type { ClusterEvent } from "./cluster-api.ts";
import { timeOf } from "./pod-findings.ts";

type Problem = Extract<OutsideFinding, { kind: "problem" }>;

/** Returns the warnings about these objects, each once. A cluster keeps its events for an hour. */
export function eventFindings(
  events: readonly ClusterEvent[],
  names: ReadonlySet<string>,
  about: FailureQuestion,
): readonly Problem[] {
  return events.flatMap((event) => {
    const { involvedObject, metadata, reason, message, count } = event;
    const target = involvedObject.name ?? "";
    const first = event.firstTimestamp ?? event.eventTime ?? metadata.creationTimestamp;
    const last = event.series?.lastObservedTime ?? event.lastTimestamp ?? first;
    const isAround = last && first && last >= new Date(about.from) && first <= new Date(about.to);
    if (!names.has(target) || !isAround) return [];
    const times = count && count > 1 ? ` (${count} times)` : "";
    return {
      kind: "problem",
      vendor: "Kubernetes",
      what: whatOf(event),
      target,
      url: null,
      title: `${[reason, message].filter(Boolean).join(": ")}${times}`,
      since: timeOf(first),
      until: timeOf(last),
    };
  });
}

/**
 * Classifies by the reasons of the kubelet and the scheduler, which
 * https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/ defines as free text.
 */
function whatOf({ reason, message }: ClusterEvent): Problem["what"] {
  const isAboutImage = /\bimage\b/i.test(message ?? "");
  switch (reason) {
    case "BackOff":
      return isAboutImage ? "image-pull" : "crash-loop";
    case "Failed":
      return isAboutImage ? "image-pull" : "alarm";
    case "FailedScheduling":
      return "unschedulable";
    case "Unhealthy":
      return "failed-check";
    case "OOMKilling":
    case "SystemOOM":
      return "out-of-memory";
    default:
      return "alarm";
  }
}
