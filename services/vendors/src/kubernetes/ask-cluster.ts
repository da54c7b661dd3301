import type { OutsideFinding } from "@whence/protocol";
import type { FailureQuestion } from "../integrations/integration.ts";
import {
  type Apis,
  type ClusterEvent,
  deploymentSchema,
  eventSchema,
  listAll,
  type Pod,
  podSchema,
  replicaSetSchema,
} from "./cluster-api.ts";
import { previousLogs } from "./container-logs.ts";
import { eventFindings } from "./event-findings.ts";
import { podFindings } from "./pod-findings.ts";
import { deploymentsOf, rolloutFindings } from "./rollout-findings.ts";

/** Maximum namespaces in which the service's pods are read. */
const namespacesMax = 3;

/** A valid label value or name: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/ */
const labelValue = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const objectName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

const order = [
  "out-of-memory",
  "crash-loop",
  "image-pull",
  "unschedulable",
  "rollout",
  "restart",
  "failed-check",
  "alarm",
  "log",
];

/** Returns the cluster's findings about the service's pods, the most relevant first. */
export async function askCluster(
  apis: Apis,
  namespace: string | null,
  about: FailureQuestion,
): Promise<readonly OutsideFinding[]> {
  const pods = await podsOf(apis, namespace, about);
  const namespaces = [...new Set(pods.map(({ metadata }) => metadata.namespace))].slice(0, namespacesMax);
  const found = await Promise.all([
    ...namespaces.map((one) => askNamespace(apis, one, { pods, about })),
    pods.length === 0 ? hostEvents(apis, namespace, about) : [],
    previousLogs(apis, pods, about),
  ]);
  const states = pods.flatMap((pod) => podFindings(pod, about));
  const rank = (finding: OutsideFinding): number => order.indexOf("what" in finding ? finding.what : finding.kind);
  return withoutRepetition([...states, ...found.flat()]).sort((one, other) => rank(one) - rank(other));
}

/** Finds pods by the labels that Kubernetes recommends, and by the hostname; the pod that failed comes first. */
async function podsOf({ core }: Apis, namespace: string | null, about: FailureQuestion): Promise<readonly Pod[]> {
  const { service, host } = about;
  // An alert may use a different case for the service than its pods do.
  const spelled = labelValue.test(service) ? [...new Set([service, service.toLowerCase()])] : [];
  const labels = spelled.flatMap((name) => [`app.kubernetes.io/name=${name}`, `app=${name}`]);
  const selectors = [
    ...(objectName.test(host) ? [{ fieldSelector: `metadata.name=${host}` }] : []),
    ...labels.map((labelSelector) => ({ labelSelector })),
  ];
  const lists = await Promise.all(
    selectors.map((selector) =>
      listAll(podSchema, (page) =>
        namespace === null
          ? core.listPodForAllNamespaces({ ...selector, ...page })
          : core.listNamespacedPod({ namespace, ...selector, ...page }),
      ),
    ),
  );
  return [...new Map(lists.flat().map((pod) => [pod.metadata.uid, pod])).values()];
}

interface Asked {
  readonly pods: readonly Pod[];
  readonly about: FailureQuestion;
}

async function askNamespace(
  { core, apps }: Apis,
  namespace: string,
  { pods, about }: Asked,
): Promise<readonly OutsideFinding[]> {
  const [events, replicaSets, deployments] = await Promise.all([
    listAll(eventSchema, (page) => core.listNamespacedEvent({ namespace, fieldSelector: "type!=Normal", ...page })),
    listAll(replicaSetSchema, (page) => apps.listNamespacedReplicaSet({ namespace, ...page })),
    listAll(deploymentSchema, (page) => apps.listNamespacedDeployment({ namespace, ...page })),
  ]);
  const own = deploymentsOf(pods, replicaSets, deployments);
  const rollouts = own.flatMap((deployment) => rolloutFindings(deployment, replicaSets, about));
  const names = [...pods, ...own].map(({ metadata }) => metadata.name);
  const sets = replicaSets.filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid }) => own.some((deployment) => deployment.metadata.uid === uid)),
  );
  const all = new Set([...names, about.host, ...sets.map(({ metadata }) => metadata.name)]);
  return [...rollouts, ...eventFindings(events, all, about)];
}

/** Returns the events of a pod that is gone. */
async function hostEvents(
  { core }: Apis,
  namespace: string | null,
  about: FailureQuestion,
): Promise<readonly OutsideFinding[]> {
  if (!objectName.test(about.host)) return [];
  const fieldSelector = `involvedObject.name=${about.host},type!=Normal`;
  const events: readonly ClusterEvent[] = await listAll(eventSchema, (page) =>
    namespace === null
      ? core.listEventForAllNamespaces({ fieldSelector, ...page })
      : core.listNamespacedEvent({ namespace, fieldSelector, ...page }),
  );
  return eventFindings(events, new Set([about.host]), about);
}

/** Drops warnings that repeat the state of their pod. */
function withoutRepetition(findings: readonly OutsideFinding[]): OutsideFinding[] {
  const seen = new Set<string>();
  return findings.filter((finding) => {
    if (finding.kind !== "problem" || finding.what === "alarm") return true;
    const key = `${finding.what} ${finding.target}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
