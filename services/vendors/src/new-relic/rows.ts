import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import type { FailureQuestion } from "../integrations/integration.ts";
import { countedLines, type LogFinding } from "../integrations/log-lines.ts";

const text = z.string().nullish();

/** A row of any of the queries: an attribute that an event doesn't have is null or absent. */
const rowSchema = z.object({
  /** Milliseconds since 1970. */
  timestamp: z.number(),
  "entity.name": text,
  "entity.guid": text,
  entityGuid: text,
  "service.name": text,
  hostname: text,
  appName: text,
  name: text,
  category: text,
  type: text,
  user: text,
  shortDescription: text,
  description: text,
  version: text,
  featureFlagId: text,
  changelog: text,
  "error.class": text,
  "error.message": text,
  transactionName: text,
  /** In seconds. */
  duration: z.number().nullish(),
  error: z.boolean().nullish(),
  message: text,
  level: text,
});
type Row = z.infer<typeof rowSchema>;

export const rowsSchema = z.array(rowSchema).nullish();

type Answer = { readonly results?: readonly Row[] | null | undefined } | null | undefined;

/** The results of the queries, by their names. */
export type NewRelicAnswers = Readonly<
  Partial<Record<"changes" | "deployments" | "errors" | "transactions" | "logs", Answer>>
>;

const vendor = "New Relic";

/**
 * Returns changes first, then errors, transactions, and log lines; similar ones are merged into one finding with a
 * count. Each links to its entity in New Relic's application.
 */
export function newRelicFindings(answers: NewRelicAnswers, about: FailureQuestion, app: string): OutsideFinding[] {
  const rows = (answer: Answer): readonly LinkedRow[] =>
    (answer?.results ?? []).map((row) => ({ ...row, url: entityLink(row, app) }));
  return [
    ...rows(answers.deployments).map(deploymentOf),
    ...rows(answers.changes).map(changeOf),
    ...alike(rows(answers.errors), (row) => [row.appName, row["error.class"], row["error.message"]]).map(errorOf),
    ...alike(rows(answers.transactions), (row) => [row.appName, row.name, row.error === true]).map(requestsOf),
    ...countedLines(rows(answers.logs).flatMap(lineOf), about.at),
  ];
}

type LinkedRow = Row & { readonly url: string | null };

/** New Relic's own command line links to entities like this. No link sets the time span of the page. */
function entityLink(row: Row, app: string): string | null {
  const guid = row["entity.guid"] ?? row.entityGuid;
  return guid ? `${app}/redirect/entity/${encodeURIComponent(guid)}` : null;
}

function deploymentOf(row: LinkedRow): OutsideFinding {
  const title = [row.version, row.description || row.changelog].filter((part) => part).join(": ") || "deployed";
  return changed("deployment", title, row);
}

/** https://docs.newrelic.com/docs/change-tracking/change-tracking-events/#supported-types */
function changeOf(row: LinkedRow): OutsideFinding {
  const category = (row.category ?? "").toLowerCase().replaceAll("_", " ");
  const kinds = {
    deployment: "deployment",
    "deployment lifecycle": "release",
    "feature flag": "feature-flag",
  } as const;
  const what = Object.entries(kinds).find(([name]) => name === category)?.[1] ?? "configuration";
  const said = row.shortDescription || row.description;
  const named = [row.version ?? row.featureFlagId, said].filter((part) => part).join(": ");
  return changed(what, named || [row.category, row.type].filter((part) => part).join(", ") || "change", row);
}

function changed(
  what: Extract<OutsideFinding, { kind: "change-event" }>["what"],
  title: string,
  row: LinkedRow,
): OutsideFinding {
  const [target, by] = [row["entity.name"] ?? null, row.user || null];
  return { kind: "change-event", what, vendor, title, target, at: timeOf(row), by, failed: null, url: row.url };
}

/** Rows with the same values: the first in time, the last, and their number; the most frequent first. */
interface Alike {
  readonly first: LinkedRow;
  readonly last: LinkedRow;
  readonly count: number;
  readonly slowestSeconds: number;
}

function alike(rows: readonly LinkedRow[], keyOf: (row: Row) => readonly unknown[]): Alike[] {
  const groups = new Map<string, Alike>();
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    const known = groups.get(key) ?? { first: row, last: row, count: 0, slowestSeconds: 0 };
    groups.set(key, {
      first: row.timestamp < known.first.timestamp ? row : known.first,
      last: row.timestamp > known.last.timestamp ? row : known.last,
      count: known.count + 1,
      slowestSeconds: Math.max(known.slowestSeconds, row.duration ?? 0),
    });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

function errorOf({ last, count }: Alike): OutsideFinding {
  const title = [last["error.class"], last["error.message"]].filter((part) => part).join(": ") || "error";
  const target = last.appName ?? last.transactionName ?? null;
  const counted = count === 1 ? title : `${title} (${count} times)`;
  return { kind: "record", what: "error-group", vendor, title: counted, target, at: timeOf(last), url: last.url };
}

function requestsOf({ first, last, count, slowestSeconds }: Alike): OutsideFinding {
  const title = `${first.name ?? "transaction"}: ${count}, up to ${slowestSeconds.toFixed(1)} s`;
  return {
    kind: "problem",
    what: first.error ? "failing-requests" : "slow-requests",
    vendor,
    title,
    target: first.appName ?? null,
    since: timeOf(first),
    until: timeOf(last),
    url: last.url,
  };
}

function lineOf(row: LinkedRow): LogFinding[] {
  if (!row.message) return [];
  const source = row["service.name"] ?? row["entity.name"] ?? row.hostname ?? null;
  const level = row.level?.toLowerCase() ?? null;
  return [{ kind: "log", vendor, level, message: row.message, source, at: timeOf(row), count: 1, url: row.url }];
}

const timeOf = (row: Row): string => new Date(row.timestamp).toISOString();
