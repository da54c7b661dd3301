import type { OutsideFinding } from "@whence/protocol";
import type { FailureQuestion } from "../integrations/integration.ts";
import type { Deployment, Pod, ReplicaSet } from "./cluster-api.ts";
import { isWithin, timeOf } from "./pod-findings.ts";

type Change = Extract<OutsideFinding, { kind: "change-event" }>;

const revisionAnnotation = "deployment.kubernetes.io/revision";
const causeAnnotation = "kubernetes.io/change-cause";

/** Returns the deployments that these pods belong to, through their replica sets. */
export function deploymentsOf(
  pods: readonly Pod[],
  replicaSets: readonly ReplicaSet[],
  deployments: readonly Deployment[],
): readonly Deployment[] {
  const podOwners = new Set(pods.flatMap(({ metadata }) => metadata.ownerReferences?.map(({ uid }) => uid) ?? []));
  const owning = replicaSets.filter(({ metadata }) => podOwners.has(metadata.uid));
  const owners = new Set(owning.flatMap(({ metadata }) => metadata.ownerReferences?.map(({ uid }) => uid) ?? []));
  return deployments.filter(({ metadata }) => owners.has(metadata.uid));
}

/** Returns the revisions of a deployment that were rolled out in the span, the newest first. */
export function rolloutFindings(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
  about: FailureQuestion,
): readonly Change[] {
  const revisions = replicaSets
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === deployment.metadata.uid))
    .map((set) => ({ set, revision: Number(set.metadata.annotations?.[revisionAnnotation] ?? 0) }))
    .sort((one, other) => other.revision - one.revision);
  const progress = deployment.status.conditions?.find(({ type }) => type === "Progressing");
  return revisions.flatMap(({ set, revision }, index) => {
    const isCurrent = index === 0;
    const created = set.metadata.creationTimestamp ?? null;
    const at = isCurrent && isRollback(revisions, created) ? (progress?.lastUpdateTime ?? null) : created;
    if (!at || !isWithin(at, about)) return [];
    const before = revisions[index + 1];
    const images = [`revision ${revision}: ${imagesOf(set)}`, before ? `before: ${imagesOf(before.set)}` : null];
    const cause = set.metadata.annotations?.[causeAnnotation];
    return {
      kind: "change-event",
      what: "rollout",
      vendor: "Kubernetes",
      target: deployment.metadata.name,
      url: null,
      title: [...images, cause].filter(Boolean).join("; "),
      at: timeOf(at),
      by: null,
      failed: isCurrent ? hasFailed(progress) : null,
    };
  });
}

/** A rollback makes an old replica set the current one again. */
function isRollback(revisions: readonly { set: ReplicaSet }[], created: Date | null): boolean {
  return revisions.some(({ set }) => created !== null && (set.metadata.creationTimestamp ?? created) > created);
}

/** https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#deployment-status */
function hasFailed(progress: { status: string; reason?: string | null | undefined } | undefined): boolean | null {
  if (progress?.reason === "ProgressDeadlineExceeded") return true;
  return progress?.reason === "NewReplicaSetAvailable" ? false : null;
}

function imagesOf({ spec }: ReplicaSet): string {
  return spec.template.spec.containers.map(({ image }) => image ?? "no image").join(", ");
}
