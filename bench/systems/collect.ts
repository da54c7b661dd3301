import {
  type AnnouncedFailure,
  type Collected,
  type Collector,
  collectEvidence,
  type InvestigationSubject,
  observeData,
  type SourceFiles,
} from "@whence/engine";
import type { OutsideFinding } from "@whence/protocol";
import type { EventStore, StoredEvent } from "@whence/storage";
import { changeCollector } from "../../services/analyzer/src/changes/change-collector.ts";
import { hunksBetween } from "../../services/analyzer/src/changes/hunks.ts";
import type { ChangeProvider } from "../../services/analyzer/src/changes/release-changes.ts";
import { telemetryCollectors } from "../../services/analyzer/src/collectors/index.ts";
import { withCode } from "../../services/analyzer/src/sources/service-sources.ts";
import type { SourceProvider } from "../../services/analyzer/src/sources/source-provider.ts";
import type { CodeFile } from "./code-change.ts";
import type { SimulatedRun } from "./simulate.ts";

/** What an investigation of a run reads. */
export interface CollectContext {
  readonly events: EventStore;
  readonly scopeId: string;
  readonly run: Pick<SimulatedRun, "topology" | "sources">;
  readonly outside: readonly OutsideFinding[];
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The investigation of an event, with the code that leads to it, and what the collectors find. */
export async function collectForEvent(
  failing: StoredEvent,
  context: CollectContext,
): Promise<{ readonly subject: InvestigationSubject; readonly collected: Collected }> {
  const { event, service, env, release, host, instance, receivedAt, fingerprint } = failing;
  const input = { kind: "event", event, service, env, release, host, instance, receivedAt } as const;
  const subject: InvestigationSubject = {
    incident: { id: "inc_bench", service, env, fingerprint },
    input: { ...input, files: [], notRead: [] },
  };
  return collect(subject, context);
}

/** The investigation of an alert that names a service. */
export async function collectForAlert(
  about: AnnouncedFailure,
  errorLog: string,
  context: CollectContext,
): Promise<{ readonly subject: InvestigationSubject; readonly collected: Collected }> {
  const { service, env } = about;
  const incident = { id: "inc_bench", service, env, fingerprint: null };
  return collect({ incident, input: { kind: "text", errorLog, files: [], about } }, context);
}

async function collect(subject: InvestigationSubject, { events, scopeId, run, outside }: CollectContext) {
  const whole = await withCode(subject, scopeId, { sources: sourcesOf(run), logger: silent });
  const changes = changesOf(run);
  const collectors = [
    ...telemetryCollectors(events.forScope(scopeId), {
      more: (judged) => [changeCollector(judged, { scopeId, changes })],
    }),
    outsideCollector(outside),
  ];
  return { subject: whole, collected: await collectEvidence(collectors, whole, new AbortController().signal) };
}

/** Says what third parties would, as the collectors of integrations do. */
function outsideCollector(findings: readonly OutsideFinding[]): Collector {
  return {
    name: "third parties",
    async collect({ observedAt }) {
      return findings.map((finding) => {
        const at = (finding.kind === "problem" ? finding.since : finding.at) ?? observedAt;
        const fact = { kind: "outside", outside: finding } as const;
        return observeData({ kind: "integration", name: finding.vendor }, finding, { observed_at: at, fact });
      });
    },
  };
}

function codeOfRelease(
  { topology, sources }: CollectContext["run"],
  service: string,
  release: string,
): readonly CodeFile[] | null {
  const isKnown = topology.services.some(({ name, hasSources }) => name === service && hasSources);
  return (isKnown ? sources.get(`${service} ${release}`) : undefined) ?? null;
}

function sourcesOf(run: CollectContext["run"]): SourceProvider {
  return {
    async open({ service, release }) {
      const files = codeOfRelease(run, service, release);
      if (!files) return null;
      const found: SourceFiles = {
        paths: async () => files.map(({ path }) => path),
        async read(path) {
          const file = files.find((one) => one.path === path);
          return file
            ? { outcome: "read", text: file.text, version: `uploaded for ${release}` }
            : { outcome: "absent" };
        },
        search: async (words) =>
          files.filter(({ text }) => words.some((word) => text.includes(word))).map(({ path }) => path),
      };
      return found;
    },
  };
}

function changesOf(run: CollectContext["run"]): ChangeProvider {
  return {
    async between({ service, from, to }) {
      const [before, after] = [codeOfRelease(run, service, from), codeOfRelease(run, service, to)];
      if (!before || !after) return null;
      const texts = new Map(before.map(({ path, text }) => [path, text]));
      const changed = after.filter(({ path, text }) => texts.get(path) !== text);
      const hunksOf = (path: string, text: string) => hunksBetween(path, texts.get(path) ?? "", text) ?? [];
      const files = changed.map(({ path, text }) => ({ path, hunks: hunksOf(path, text) }));
      const version = `uploaded for ${from} and ${to}`;
      return { version, commits: [], files, filesChanged: files.length, isWhole: true, builtFrom: null };
    },
  };
}
