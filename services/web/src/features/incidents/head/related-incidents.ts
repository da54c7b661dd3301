import { type Evidence, type Incident, type IncidentSummary, parseJson } from "@whence/protocol";
import { z } from "zod";

/** Another incident, and how it is related to the one that is shown. */
export interface RelatedIncident {
  readonly id: string;
  readonly title: string;
  /** RFC 3339: when it opened. */
  readonly at: string;
  readonly relation: string;
}

const similarSchema = z.object({ id: z.string(), title: z.string(), at: z.string(), likeness: z.string() });

/** Returns the earlier incidents that a report compares its own with. */
export function similarIncidents(evidence: readonly Evidence[]): RelatedIncident[] {
  return evidence.flatMap(({ excerpt }) => {
    const parsed = similarSchema.safeParse(parseJson(excerpt));
    if (!parsed.success) return [];
    const { likeness, ...similar } = parsed.data;
    return [{ ...similar, relation: likeness.replace(/^./, (letter) => letter.toUpperCase()) }];
  });
}

/** Returns a listed incident as related: by the same failure, or by its service. */
export function relatedBy(
  { id, title, created_at: at, fingerprint, service }: IncidentSummary,
  to: Pick<Incident, "fingerprint">,
): RelatedIncident {
  const isSame = fingerprint !== null && fingerprint === to.fingerprint;
  return { id, title, at, relation: isSame ? "Same failure" : `Also in ${service}` };
}

/** Returns the first `max` incidents of some lists, each once, without the incident itself. */
export function relatedIncidents(
  { id }: Pick<Incident, "id">,
  found: readonly (readonly RelatedIncident[])[],
  max: number,
): RelatedIncident[] {
  const byId = new Map<string, RelatedIncident>();
  for (const one of found.flat()) if (!byId.has(one.id)) byId.set(one.id, one);
  byId.delete(id);
  return [...byId.values()].slice(0, max);
}
