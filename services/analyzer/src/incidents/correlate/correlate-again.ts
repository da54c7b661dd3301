import type { FailureRepository, KnownFailure } from "@whence/storage";
import { joiningOf } from "../decide/decide.ts";
import { type FailureContext, readFailureContext } from "./failure-context.ts";
import type { DecisionSources, GroupToDecide } from "./group-to-decide.ts";

/** How often the other incident may be renamed or merged at the same moment before this one stays as it is. */
const looksMax = 5;

/**
 * Looks again at a failure that opened an incident before the services it had called could report their side. The incident
 * joins the one it follows from, or stays, and its notifications go out. Doing it twice changes nothing.
 */
export async function correlateAgain(sources: DecisionSources, toDecide: GroupToDecide): Promise<void> {
  const { failures } = sources.control.scope(toDecide.scopeId);
  const { fingerprint, env } = toDecide.group.worst;
  for (let looks = 0; looks < looksMax; looks += 1) {
    const known = await failures.find(fingerprint, env);
    if (!known?.isHeld || known.joined || known.incidentId === null) return;
    const found = await readFailureContext(sources, toDecide, known);
    if (await settle(failures, toDecide, { ...known, incidentId: known.incidentId }, found)) return;
  }
}

function settle(
  failures: FailureRepository,
  { group, now }: GroupToDecide,
  { fingerprint, env, incidentId }: KnownFailure & { readonly incidentId: string },
  { relation }: FailureContext,
): Promise<boolean> {
  if (!relation) return failures.release(incidentId, now);
  const { decision, joining: into } = joiningOf(group, relation);
  return failures.merge({ incidentId, fingerprint, env, decision, into, now });
}
