import type { Scalar } from "../../findings/parsed-error.ts";
import { lineRecord, type RecordFormat } from "./line-record.ts";

/** `Warning  BackOff  2m (x12 over 5m)  kubelet  Back-off restarting failed container`, as `kubectl describe` prints it. */
const described =
  /^\s{0,8}(?<type>Warning|Normal)\s{2,20}(?<reason>[A-Z]\w{2,60})\s{2,40}(?<age>[\w<>]{1,12}(?: \(x(?<count>\d{1,9})(?: over \w{1,12})?\))?)\s{2,40}(?<from>[\w.-]{1,80}(?:, [\w.-]{1,80})?)\s{2,40}(?<message>.*)$/;
/** `[NAMESPACE] LAST SEEN  TYPE  REASON  OBJECT  [SUBOBJECT  SOURCE]  MESSAGE`, as `kubectl get events` prints it. */
const listed =
  /^\s{0,4}(?:(?<namespace>[a-z0-9-]{1,63})\s{2,60})?(?<age>\d[\w<>]{0,12}(?: \(x(?<count>\d{1,9})(?: over \w{1,12})?\))?|<unknown>|<invalid>)\s{2,20}(?<type>Warning|Normal)\s{2,20}(?<reason>[A-Z]\w{2,60})\s{2,60}(?<object>[a-z]{2,40}\/[\w.:-]{1,253})\s{2,260}(?<message>.*)$/;
/** The state of a container in `kubectl describe pod`. */
const state = /^\s{2,12}(?<name>Reason|Exit Code|Message|Signal):\s{1,20}(?<value>\S.{0,2000})$/;
/** `api-7d9f  0/1  CrashLoopBackOff  12 (2m ago)  38m`, as `kubectl get pods` prints it. */
const podLine =
  /^(?:[a-z0-9-]{1,63}\s{2,60})?(?<pod>[a-z0-9][a-z0-9.-]{1,252})\s{2,60}\d{1,4}\/\d{1,4}\s{2,20}(?<status>(?:Init:)?[A-Z]\w{3,60})\s{2,20}(?<restarts>\d{1,9})(?: \([^)]{1,40}\))?\s{2,20}\w{1,12}/;
const bad =
  /^(?:Init:)?(?:Error|OOMKilled|CrashLoopBackOff|ErrImagePull|ImagePullBackOff|Evicted|CreateContainerConfigError|CreateContainerError|RunContainerError|InvalidImageName|ContainerCannotRun|DeadlineExceeded|NodeLost|Unknown|ContainerStatusUnknown)$/;

/** Kubernetes events as kubectl prints them. */
export const kubernetesEventFormat: RecordFormat = {
  name: "Kubernetes events (kubectl describe, kubectl get events)",
  read(text) {
    if (!text.includes("Warning ") && !text.includes("Normal ")) return null;
    const groups = (described.exec(text) ?? listed.exec(text))?.groups;
    if (!groups) return null;
    const fields: Record<string, Scalar> = { reason: groups.reason ?? "" };
    if (groups.object) fields.object = groups.object;
    if (groups.namespace) fields.namespace = groups.namespace;
    if (groups.count) fields.count = Number(groups.count);
    return lineRecord(`${groups.reason}: ${groups.message}`, {
      level: groups.type === "Warning" ? "error" : "info",
      logger: groups.from ?? "kubernetes",
      fields,
    });
  },
};

/** The state of a container or pod: `Reason: OOMKilled`, `Exit Code: 137`, `CrashLoopBackOff`. */
export const kubernetesStateFormat: RecordFormat = {
  name: "Kubernetes states (kubectl describe pod, kubectl get pods)",
  read(text) {
    return readState(text) ?? readPod(text);
  },
};

function readState(text: string) {
  const groups = state.exec(text)?.groups;
  if (!groups?.name || !groups.value) return null;
  const isBad = groups.name === "Reason" ? bad.test(groups.value) : groups.name === "Exit Code" && groups.value !== "0";
  if (groups.name !== "Reason" && groups.name !== "Exit Code") return null;
  const field = groups.name === "Reason" ? { reason: groups.value } : { exit_code: Number(groups.value) };
  return lineRecord(`${groups.name}: ${groups.value}`, {
    level: isBad ? "error" : "info",
    logger: "kubernetes",
    fields: field,
  });
}

function readPod(text: string) {
  const groups = podLine.exec(text)?.groups;
  if (!groups?.status) return null;
  const fields = { pod: groups.pod ?? "", reason: groups.status, restarts: Number(groups.restarts) };
  return lineRecord(`${groups.pod} is ${groups.status}`, {
    level: bad.test(groups.status) ? "error" : "info",
    logger: "kubernetes",
    fields,
  });
}
