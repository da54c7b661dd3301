import type { Findings } from "../findings/findings.ts";
import { ofKind } from "../findings/of-kind.ts";
import type { Candidate } from "../rank/candidate.ts";
import type { Link } from "./link.ts";
import { outsideLinks } from "./outside-links.ts";

/** From how processes ended, by their heartbeats, to their silence. */
export function exitLinks({ observations, service }: Candidate, findings: Findings): Link[] {
  const [end] = ofKind(observations, "end");
  const silences = ofKind(observations, "silence");
  const readings = ofKind(observations, "vital-signs");
  const [stack] = ofKind(observations, "main-thread");
  const lastAt = silences.at(-1)?.fact.silence.lastAt ?? null;
  const base = { location: null, service, release: null, at: null };
  return [
    ...(end?.fact.end.kind === "out-of-memory" ? releaseLinks(service, findings) : []),
    ...outsideLinks(observations, findings),
    ...(end
      ? [
          {
            ...{ ...base, kind: "end" as const, args: { end: end.fact.end } },
            location: stack?.fact.location ?? null,
            evidence: [end, ...readings, ...(stack ? [stack] : [])],
          },
        ]
      : []),
    {
      ...{ ...base, kind: "silence" as const, at: lastAt, evidence: silences },
      args: { silences: silences.map(({ fact }) => fact.silence) },
    },
  ];
}

/** The release that the dead process ran, when it was new and changed few enough files to name them. */
function releaseLinks(service: string | null, { observations, onlyChanges = [], death }: Findings): Link[] {
  const ran = new Set(death?.processes.map(({ release }) => release));
  for (const observation of ofKind(observations, "deploy")) {
    const { deploy } = observation.fact;
    const change = onlyChanges.find(({ observation: { fact } }) => fact.change.release === deploy.release);
    if (deploy.service !== service || !ran.has(deploy.release) || !change) continue;
    const { commit } = change.observation.fact.change;
    const link: Link = {
      ...{ kind: "release", location: change.place, service, release: deploy.release, at: deploy.at },
      args: { deploy, change: { ...change, commit } },
      evidence: [change.observation, ...change.more, observation],
    };
    return [link];
  }
  return [];
}
