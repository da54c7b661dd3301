/** Objects as an API server has them, with the fields that are read and some that are not. */

const namespace = "shop";

/** A pod of the replica set `orders-7d9f`. */
export function pod(name: string, status: object, metadata: object = {}) {
  return {
    metadata: {
      ...{ name, namespace, uid: `uid-${name}`, creationTimestamp: "2026-03-01T10:00:00Z" },
      labels: { "app.kubernetes.io/name": "orders" },
      ownerReferences: [
        { apiVersion: "apps/v1", kind: "ReplicaSet", name: "orders-7d9f", uid: "uid-rs-2", controller: true },
      ],
      ...metadata,
    },
    spec: { containers: [{ name: "app", image: "registry.example/orders:2.0.0" }] },
    status: { phase: "Running", startTime: "2026-03-01T10:00:05Z", ...status },
  };
}

export function container(state: object, lastState: object = {}, restartCount = 0) {
  return {
    ...{ name: "app", image: "registry.example/orders:2.0.0", imageID: "", ready: false, started: false },
    ...{ state, lastState, restartCount },
  };
}

export const ended = (exitCode: number, reason: string, finishedAt: string) => ({
  terminated: { exitCode, reason, startedAt: "2026-03-01T10:00:10Z", finishedAt, containerID: "containerd://1" },
});

export function warning(of: string, reason: string, message: string, last: string) {
  return {
    metadata: { name: `${of}.1`, namespace, creationTimestamp: "2026-03-01T11:30:00Z" },
    involvedObject: { kind: "Pod", name: of, namespace },
    ...{ type: "Warning", reason, message, count: 3, eventTime: null, source: { component: "kubelet" } },
    ...{ firstTimestamp: "2026-03-01T11:30:00Z", lastTimestamp: last },
  };
}

export function deployment(condition: object = {}) {
  return {
    metadata: { name: "orders", namespace, uid: "uid-deployment" },
    spec: { selector: {}, template: { spec: { containers: [] } } },
    status: {
      conditions: [
        {
          ...{ type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" },
          ...{ lastUpdateTime: "2026-03-01T11:55:00Z", lastTransitionTime: "2026-02-01T00:00:00Z", ...condition },
        },
      ],
    },
  };
}

export function replicaSet(number: number, revision: number, creationTimestamp: string) {
  return {
    metadata: {
      ...{ name: `orders-${number}`, namespace, uid: `uid-rs-${number}`, creationTimestamp },
      annotations: { "deployment.kubernetes.io/revision": String(revision) },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "orders", uid: "uid-deployment" }],
    },
    spec: {
      selector: {},
      template: {
        metadata: { creationTimestamp: null },
        spec: { containers: [{ name: "app", image: `registry.example/orders:${number}.0.0` }] },
      },
    },
    status: { replicas: 1 },
  };
}
