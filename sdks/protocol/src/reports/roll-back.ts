import { z } from "zod";
import { parseJson } from "../parse-json.ts";
import type { Evidence } from "./evidence.ts";
import { changeEventSchema } from "./outside-finding.ts";
import { clockErrorMs, type Report, type Solution } from "./report.ts";

/** Something to do now. */
export interface Action extends Solution {
  /** A command that does it, where the record shows that it does just that. */
  readonly command?: { readonly line: string; readonly label: string };
  /** The page of a connected system where it is done. */
  readonly link?: { readonly vendor: string; readonly url: string };
}

const deploySchema = changeEventSchema.extend({ vendor: z.string(), url: z.string().nullable() });
type Deploy = z.infer<typeof deploySchema>;

const releaseSchema = z.object({ service: z.string(), previous: z.string().nullable(), at: z.string() });

/** The commands of systems that return to the deployment before the last one, for a target. */
const commands: Readonly<Record<string, (target: string) => NonNullable<Action["command"]>>> = {
  Kubernetes: (target) => ({
    line: `kubectl rollout undo deployment/${target}`,
    label: "Command, in the namespace of the deployment",
  }),
  Vercel: () => ({ line: "vercel rollback", label: "Command, in the folder of the project" }),
};

/** A name that a shell takes as it is. https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ */
const plainName = /^[a-z\d][a-z\d.-]*$/;

/**
 * Returns a solution that rolls a release back, with the page of the connected system that deployed the service. It has
 * that system's command only where the one deployment that the record has of the service is the release's: the command
 * goes back by one.
 */
export function rollBack(solution: Solution, evidence: Report["evidence"]): Action {
  const service = solution.rolls_back?.service;
  const deploys = evidence.flatMap(deployOf).filter(({ target }) => target === service);
  const linked = deploys.find(({ url }) => url !== null);
  const command = commandOf(deploys, releasedAt(solution, evidence));
  return {
    ...solution,
    ...(command && { command }),
    ...(linked?.url && { link: { vendor: linked.vendor, url: linked.url } }),
  };
}

function commandOf([deploy, ...others]: readonly Deploy[], releasedAtMs: number | null): Action["command"] {
  if (!deploy?.target || !plainName.test(deploy.target) || others.length > 0 || releasedAtMs === null) return undefined;
  const isOfRelease = Math.abs(Date.parse(deploy.at) - releasedAtMs) <= clockErrorMs;
  return isOfRelease ? commands[deploy.vendor]?.(deploy.target) : undefined;
}

/** When the release that is rolled back went live, in milliseconds since 1970; null when no cited evidence says so. */
function releasedAt({ rolls_back: back, evidence_ids: ids }: Solution, evidence: Report["evidence"]): number | null {
  const cited = evidence.filter(({ id, source }) => ids.includes(id) && source.kind === "telemetry");
  const [at] = cited.flatMap(({ excerpt }) => {
    const parsed = releaseSchema.safeParse(parseJson(excerpt));
    return parsed.success && parsed.data.service === back?.service && parsed.data.previous === back.to
      ? [Date.parse(parsed.data.at)]
      : [];
  });
  return at ?? null;
}

function deployOf({ source, excerpt }: Evidence): Deploy[] {
  if (source.kind !== "integration") return [];
  const parsed = deploySchema.safeParse(parseJson(excerpt));
  return parsed.success && ["deployment", "release", "rollout"].includes(parsed.data.what) ? [parsed.data] : [];
}
