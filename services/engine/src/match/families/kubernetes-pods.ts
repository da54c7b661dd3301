import type { Signature } from "../../findings.ts";

export const kubernetesPods: readonly Signature[] = [
  {
    id: "kubernetes.oom-killed",
    category: "resource-exhaustion",
    match: {
      message: [
        "reason: OOMKilled",
        "reason=OOMKilled",
        'reason*"OOMKilled"',
        '="OOMKilled"',
        '"OOMKilled": true',
        '"OOMKilled":true',
        "OOMKilled (exit code",
        "terminated *OOMKilled",
        "^OOMKilled",
        "OOMKilled$",
        "OOMKilled {restarts} (",
        "was OOMKilled",
        "OOMKilling",
        "ContainerOOM",
        "System OOM encountered, victim process: {process}",
      ],
    },
    meaning: "A container used more memory than its limit and was killed.",
    seenIfTrue: "`container_memory_working_set_bytes` climbs to the limit before each restart",
    seenIfFalse: "memory was far below the limit: the node itself ran out, or something else sent SIGKILL",
    shortTerm: "Raise `resources.limits.memory` of that container, and look whether its use grows without end.",
    longTerm:
      "Set the runtime's own limit below the container's (`--max-old-space-size`, `-XX:MaxRAMPercentage=75`, `GOMEMLIMIT`), and bound what grew.",
    url: "https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/",
  },
  {
    id: "kubernetes.liveness",
    category: "resource-exhaustion",
    match: {
      message: ["Liveness probe failed: {what}", "failed liveness probe, will be restarted", "Liveness probe errored"],
    },
    meaning:
      "The liveness probe got no good answer, and the container is restarted: it hangs, starts slowly, or the probe is too strict.",
    seenIfTrue:
      "the process is busy or blocked at that time (event loop, collector, a slow dependency inside the check)",
    seenIfFalse: "the process answers the same path in time, at another port",
    shortTerm:
      "Look at the process at that time; give the probe a longer `timeoutSeconds`, and slow starts a `startupProbe`.",
    longTerm: "Let the liveness path answer from memory alone, and move dependencies to readiness.",
    url: "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
  },
  {
    id: "kubernetes.readiness",
    category: "upstream-bad-response",
    match: { message: ["Readiness probe failed: {what}", "Readiness probe errored", "pod has unbound readiness"] },
    meaning:
      "The readiness probe fails, so the pod gets no traffic: it is starting, or something that it needs is missing.",
    seenIfTrue: "the pod's log shows what it waits for (a database, a migration, a port)",
    seenIfFalse: "the path answers 200 inside the pod, and the probe asks another port or path",
    shortTerm: "Ask the probe's path from inside the pod, and compare port and path.",
    longTerm: "Log what readiness waits for, and let it time out with a reason.",
    url: "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
  },
  {
    id: "kubernetes.startup",
    category: "timeout",
    match: { message: ["Startup probe failed: {what}", "failed startup probe, will be restarted"] },
    meaning: "The container did not come up within its startup probe's time, and is restarted.",
    seenIfTrue:
      "its log shows work at start (migrations, caches) that takes longer than `failureThreshold` × `periodSeconds`",
    seenIfFalse: "it is up, and the probe asks another port or path",
    shortTerm: "Raise `failureThreshold` of the startup probe.",
    longTerm: "Do less at start, and run migrations in a job before.",
    url: "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
  },
  {
    id: "kubernetes.evicted",
    category: "resource-exhaustion",
    match: {
      code: ["EvictionThresholdMet", "DiskPressure", "MemoryPressure", "PIDPressure"],
      message: [
        "The node was low on resource: {resource}",
        "Evicted",
        "Pod ephemeral local storage usage exceeds",
        'Usage of EmptyDir volume "{volume}" exceeds the limit',
        "The node had condition: [{condition}]",
        "eviction manager: attempting to reclaim {resource}",
      ],
    },
    meaning: "The node ran short of {resource} and ended the pod.",
    seenIfTrue: "`kubectl describe node` shows the pressure at that time, and the pod uses more than it requested",
    seenIfFalse: "the node was drained on purpose",
    shortTerm: "Free the resource on the node (logs, images, `emptyDir`), and start the pod elsewhere.",
    longTerm: "Request what the pod really uses (memory, `ephemeral-storage`), and write logs to stdout only.",
    url: "https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/",
  },
];
