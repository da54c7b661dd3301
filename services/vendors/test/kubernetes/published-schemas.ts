import { validate as isDeployment } from "kubernetes-models/_schemas/IoK8sApiAppsV1Deployment";
import { validate as isReplicaSet } from "kubernetes-models/_schemas/IoK8sApiAppsV1ReplicaSet";
import { validate as isEvent } from "kubernetes-models/_schemas/IoK8sApiCoreV1Event";
import { validate as isPod } from "kubernetes-models/_schemas/IoK8sApiCoreV1Pod";
import type { ClusterServer } from "../../../../test/servers/cluster-server.ts";

const core = { apiVersion: "v1" };
const apps = { apiVersion: "apps/v1" };

/** What of the double isn't valid by the OpenAPI document that Kubernetes publishes. Items of a list don't name their kind. */
export function unlikeKubernetes({ items }: ClusterServer): object[] {
  return [
    ...items.pods.filter((pod) => !isPod({ ...core, kind: "Pod", ...pod })),
    ...items.events.filter((event) => !isEvent({ ...core, kind: "Event", ...event })),
    ...items.deployments.filter((deployment) => !isDeployment({ ...apps, kind: "Deployment", ...deployment })),
    ...items.replicasets.filter((replicaSet) => !isReplicaSet({ ...apps, kind: "ReplicaSet", ...replicaSet })),
  ];
}
