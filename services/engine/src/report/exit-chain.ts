import type { Findings } from "../findings.ts";
import type { Candidate } from "../rank/candidate.ts";
import type { Link } from "./link.ts";
import { ofKind } from "./of-kind.ts";
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
