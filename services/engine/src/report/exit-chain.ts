import type { Location } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import type { CodePlace, LocatedFrame } from "../findings/located-frame.ts";
import { observeCode } from "../findings/observe-input.ts";
import { ofKind } from "../findings/of-kind.ts";
import type { Candidate } from "../rank/candidate.ts";
import type { Link } from "./link.ts";
import { outsideLinks } from "./outside-links.ts";

/**
 * Returns the links from how processes ended, according to their heartbeats, to their last heartbeat. `code` shows what
 * kept a hung one busy.
 */
export function exitLinks({ observations, service }: Candidate, findings: Findings, code: readonly Link[]): Link[] {
  const [exit] = ofKind(observations, "exit");
  const lastHeartbeats = ofKind(observations, "last-heartbeat");
  const readings = ofKind(observations, "vital-signs");
  const [stack] = ofKind(observations, "main-thread");
  const lastAt = lastHeartbeats.at(-1)?.fact.lastHeartbeat.lastAt ?? null;
  const place = stack ? findings.frames.find(isOwn)?.place : null;
  const base = { location: null, service, release: null, at: null };
  return [
    ...(exit?.fact.exit.kind === "out-of-memory" ? releaseLinks(service, findings) : []),
    ...outsideLinks(observations, findings),
    ...code,
    ...(exit
      ? [
          {
            ...base,
            kind: "exit" as const,
            args: { exit: exit.fact.exit },
            location: place ? locationOf(place) : (stack?.fact.location ?? null),
            evidence: [exit, ...readings, ...(stack ? [stack] : []), ...(place ? [observeCode(findings, place)] : [])],
          },
        ]
      : []),
    {
      ...base,
      kind: "last-heartbeat" as const,
      at: lastAt,
      evidence: lastHeartbeats,
      args: { processes: lastHeartbeats.map(({ fact }) => fact.lastHeartbeat) },
    },
  ];
}

function locationOf({ file, line, function: name }: CodePlace): Location {
  return { file, line, function: name };
}

function isOwn({ frame, place }: LocatedFrame): boolean {
  return frame.origin === "app" && place !== null;
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
      kind: "deploy",
      location: change.place,
      service,
      release: deploy.release,
      at: deploy.at,
      args: { deploy, change: { ...change, commit }, schema: [] },
      evidence: [change.observation, ...change.more, observation],
    };
    return [link];
  }
  return [];
}
