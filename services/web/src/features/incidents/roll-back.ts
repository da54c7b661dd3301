import { changeEventSchema, type Evidence, parseJson, type Report, type Solution, shortCommit } from "@whence/protocol";
import { z } from "zod";
import type { SuspectRelease } from "./suspect-release.ts";

/** Something to do now. */
export interface Action extends Solution {
  /** A command that does it, where the record has what that needs. */
  readonly command?: string;
  /** The page of a connected system where it is done. */
  readonly link?: { readonly vendor: string; readonly url: string };
}

const deploySchema = changeEventSchema.extend({ vendor: z.string(), url: z.string().nullable() });
type Deploy = z.infer<typeof deploySchema>;

/** The commands of systems that return to the deployment before, for a target. */
const commands: Readonly<Record<string, (target: string) => string>> = {
  Kubernetes: (target) => `kubectl rollout undo deployment/${target}`,
  Vercel: () => "vercel rollback",
};

/**
 * Returns how to return to the release before: at the connected system that deployed the service or, without one, by
 * reverting the release's only commit.
 */
export function rollBack(suspect: SuspectRelease, evidence: Report["evidence"]): Action {
  const { service, release, previous, commits, evidenceIds } = suspect;
  const deploy = evidence.flatMap(deployOf).find(({ target }) => target === service);
  const command = deploy?.target ? commands[deploy.vendor]?.(deploy.target) : undefined;
  const [commit, ...others] = commits;
  const revert = commit && others.length === 0 ? `git revert ${shortCommit(commit.id)}` : undefined;
  const isReverted = command === undefined && revert !== undefined;
  return {
    title: `Roll back \`${service}\` to ${previous}`,
    detail: isReverted
      ? `Deploy ${previous} again, or revert the only commit of ${release}.`
      : `Deploy ${previous} again: the failure came with ${release}.`,
    evidence_ids: [...evidenceIds],
    ...((command ?? revert) ? { command: command ?? revert ?? "" } : {}),
    ...(deploy?.url ? { link: { vendor: deploy.vendor, url: deploy.url } } : {}),
  };
}

function deployOf({ source, excerpt }: Evidence): Deploy[] {
  if (source.kind !== "integration") return [];
  const parsed = deploySchema.safeParse(parseJson(excerpt));
  return parsed.success && ["deployment", "release", "rollout"].includes(parsed.data.what) ? [parsed.data] : [];
}
