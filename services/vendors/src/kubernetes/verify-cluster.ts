import { VendorFailure } from "../http/vendor-failure.ts";
import { type Apis, listAll, podSchema } from "./cluster-api.ts";
import type { ClusterAccess } from "./kubeconfig.ts";

/**
 * Makes each kind of request that an investigation makes. Rejects with what is missing; resolves with the cluster's
 * name.
 */
export async function verifyCluster({ core, apps }: Apis, { cluster, namespace }: ClusterAccess): Promise<string> {
  const one = { limit: 1 };
  const within = namespace === null ? null : { namespace, ...one };
  const requests: readonly [string, () => Promise<unknown>][] = [
    ["events", () => (within ? core.listNamespacedEvent(within) : core.listEventForAllNamespaces(one))],
    ["replica sets", () => (within ? apps.listNamespacedReplicaSet(within) : apps.listReplicaSetForAllNamespaces(one))],
    ["deployments", () => (within ? apps.listNamespacedDeployment(within) : apps.listDeploymentForAllNamespaces(one))],
  ];
  const [pod] = await allowed("pods", () =>
    listAll(podSchema, () => (within ? core.listNamespacedPod(within) : core.listPodForAllNamespaces(one)), 1),
  );
  await Promise.all(requests.map(([what, request]) => allowed(what, request)));
  if (pod) await allowed("the logs of pods", () => anyLog(core, pod.metadata));
  return `cluster ${cluster}${namespace === null ? "" : `, namespace ${namespace}`}`;
}

/** A pod that never ran has no log, which gives 400. */
async function anyLog(core: Apis["core"], { name, namespace }: { name: string; namespace: string }): Promise<void> {
  try {
    await core.readNamespacedPodLog({ name, namespace, tailLines: 1, limitBytes: 1 });
  } catch (error) {
    if (!(error instanceof VendorFailure) || !["not-found", "unexpected-answer"].includes(error.reason)) throw error;
  }
}

async function allowed<Answer>(what: string, request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof VendorFailure) || error.reason !== "forbidden") throw error;
    throw new VendorFailure("forbidden", `Kubernetes doesn't let these credentials read ${what} (403): allow it`);
  }
}
