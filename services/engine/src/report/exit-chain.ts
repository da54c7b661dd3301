import type { Findings } from "../findings/findings.ts";
import { ofKind } from "../findings/of-kind.ts";
import type { Candidate } from "../rank/candidate.ts";
import type { Link } from "./link.ts";
import { outsideLinks } from "./outside-links.ts";

/** Returns the links from how processes ended, according to their heartbeats, to their last heartbeat. */
export function exitLinks({ observations, service }: Candidate, findings: Findings): Link[] {
  const [exit] = ofKind(observations, "exit");
  const lastHeartbeats = ofKind(observations, "last-heartbeat");
  const readings = ofKind(observations, "vital-signs");
  const [stack] = ofKind(observations, "main-thread");
  const lastAt = lastHeartbeats.at(-1)?.fact.lastHeartbeat.lastAt ?? null;
  const base = { location: null, service, release: null, at: null };
  return [
    ...(exit?.fact.exit.kind === "out-of-memory" ? releaseLinks(service, findings) : []),
    ...outsideLinks(observations, findings),
    ...(exit
      ? [
          {
            ...{ ...base, kind: "exit" as const, args: { exit: exit.fact.exit } },
            location: stack?.fact.location ?? null,
            evidence: [exit, ...readings, ...(stack ? [stack] : [])],
          },
        ]
      : []),
    {
      ...{ ...base, kind: "last-heartbeat" as const, at: lastAt, evidence: lastHeartbeats },
      args: { processes: lastHeartbeats.map(({ fact }) => fact.lastHeartbeat) },
    },
  ];
}

/** Returns the release of the process that stopped, when it was new and changed few enough files to name them. */
function releaseLinks(service: string | null, { observations, onlyChanges = [], exit }: Findings): Link[] {
  const ran = new Set(exit?.processes.map(({ release }) => release));
  for (const observation of ofKind(observations, "deploy")) {
    const { deploy } = observation.fact;
    const change = onlyChanges.find(({ observation: { fact } }) => fact.change.release === deploy.release);
    if (deploy.service !== service || !ran.has(deploy.release) || !change) continue;
    const { commit } = change.observation.fact.change;
    const link: Link = {
      ...{ kind: "deploy", location: change.place, service, release: deploy.release, at: deploy.at },
      args: { deploy, change: { ...change, commit } },
      evidence: [change.observation, ...change.more, observation],
    };
    return [link];
  }
  return [];
}
