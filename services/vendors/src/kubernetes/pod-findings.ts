import type { OutsideFinding } from "@whence/protocol";
import type { FailureQuestion } from "../integrations/integration.ts";
import type { ContainerStatus, Pod } from "./cluster-api.ts";

const vendor = "Kubernetes";

type Problem = Extract<OutsideFinding, { kind: "problem" }>;

const imagePullReasons = new Set(["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"]);

/** Returns what the state of a pod shows about the time around the failure. */
export function podFindings(pod: Pod, about: FailureQuestion): readonly Problem[] {
  const { containerStatuses, initContainerStatuses } = pod.status;
  const containers = [...(initContainerStatuses ?? []), ...(containerStatuses ?? [])];
  return [...containers.flatMap((container) => containerFindings(pod, container, about)), ...schedulingFindings(pod)];
}

function containerFindings(pod: Pod, container: ContainerStatus, about: FailureQuestion): readonly Problem[] {
  const { name, restartCount, state, lastState } = container;
  const waiting = state?.waiting?.reason ?? null;
  const ended = state?.terminated ?? lastState?.terminated ?? null;
  const endedAt = ended?.finishedAt ?? null;
  const problem = (what: Problem["what"], title: string, since: Date | null, until: Date | null = null): Problem => ({
    kind: "problem",
    vendor,
    what,
    title: `container ${name}: ${title}`,
    target: pod.metadata.name,
    url: null,
    since: timeOf(since ?? pod.status.startTime ?? pod.metadata.creationTimestamp),
    until: until && timeOf(until),
  });
  if (waiting !== null && imagePullReasons.has(waiting)) {
    return [problem("image-pull", [waiting, state?.waiting?.message].filter(Boolean).join(": "), null)];
  }
  const found: Problem[] = [];
  const restarts = `restarted ${restartCount} ${restartCount === 1 ? "time" : "times"}`;
  if (ended && endedAt && isWithin(endedAt, about) && ended.reason !== "Completed") {
    const exit = `exit code ${ended.exitCode}${ended.reason ? ` (${ended.reason})` : ""}, ${restarts}`;
    const again = state?.running?.startedAt ?? null;
    const isOutOfMemory = ended.reason === "OOMKilled";
    if (isOutOfMemory) found.push(problem("out-of-memory", exit, endedAt, again));
    else if (waiting !== "CrashLoopBackOff") found.push(problem("restart", exit, endedAt, again));
  }
  if (waiting === "CrashLoopBackOff") {
    const last = ended ? `last exit code ${ended.exitCode}, ` : "";
    found.push(problem("crash-loop", `${last}${restarts}`, endedAt));
  }
  return found;
}

function schedulingFindings({ metadata, status }: Pod): readonly Problem[] {
  const start = timeOf(status.startTime ?? metadata.creationTimestamp);
  const common = { kind: "problem", vendor, target: metadata.name, until: null, url: null } as const;
  if (status.reason === "Evicted") {
    return [{ ...common, what: "alarm", title: `evicted: ${status.message ?? ""}`, since: start }];
  }
  const scheduled = status.conditions?.find(({ type }) => type === "PodScheduled");
  if (status.phase !== "Pending" || scheduled?.status !== "False" || scheduled.reason !== "Unschedulable") return [];
  const since = scheduled.lastTransitionTime ? timeOf(scheduled.lastTransitionTime) : start;
  return [{ ...common, what: "unschedulable", title: scheduled.message ?? "no node takes it", since }];
}

/** Returns containers whose last exit is in the span: their log from before it is kept until the next exit. */
export function endedContainers(pod: Pod, about: FailureQuestion): readonly string[] {
  return (pod.status.containerStatuses ?? []).flatMap(({ name, lastState }) => {
    const at = lastState?.terminated?.finishedAt;
    return at && isWithin(at, about) ? [name] : [];
  });
}

export function isWithin(at: Date, { from, to }: FailureQuestion): boolean {
  return at.getTime() >= Date.parse(from) && at.getTime() <= Date.parse(to);
}

/** Empty without a valid time, which leaves the finding out. */
export function timeOf(at: Date | null | undefined): string {
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : "";
}
