import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import type { Score } from "./score.ts";

/** The target figures. */
export const targets = { first: 0.9, firstThree: 0.98, category: 0.85, fileFirst: 0.85, incidents: 1 } as const;

/** Formats one line per fault, then the totals: of all faults, and of those with and without decoys. */
export function resultsText(scores: readonly Score[]): string {
  const faults = table(
    [
      "fault",
      "decoys",
      "caused by",
      "suspected",
      "@1",
      "@3",
      "category",
      "right",
      "file@1",
      "file@3",
      "roll back",
      "incidents",
      "report",
      "loudest",
    ],
    scores.map(faultRow),
  );
  const groups = groupsOf(scores).map(([name, group]) => groupRow(name, group));
  const summary = table(
    [
      "",
      "faults",
      "AC@1",
      "AC@3",
      "category",
      "file AC@1",
      "file AC@3",
      "incidents",
      "same cause",
      "report, median",
      "AC@1 of loudest",
    ],
    groups,
  );
  const { first, firstThree, category, fileFirst, incidents } = targets;
  const back = `roll-backs: ${rollbacksText(scores)}`;
  const aims = `targets: AC@1 ${percent(first)}, AC@3 ${percent(firstThree)}, category ${percent(category)}, file AC@1 ${percent(fileFirst)}, incidents ${incidents}`;
  return `${faults}\n\n${summary}\n${back}\n${aims}`;
}

/** Formats what a model changed: the shares that it may change, by the engine alone and with the model, in points. */
export function differenceText(alone: readonly Score[], withModel: readonly Score[]): string {
  const [one, other] = [figures(alone), figures(withModel)];
  const points = (name: "first" | "firstThree" | "category" | "fileFirst" | "fileFirstThree"): string => {
    const change = 100 * (other[name] - one[name]);
    return Number.isNaN(change) ? "-" : `${percent(one[name])} ${change < 0 ? "" : "+"}${change.toFixed(1)}`;
  };
  return table(
    ["engine alone, and with the model", "AC@1", "AC@3", "category", "file AC@1", "file AC@3"],
    [
      [
        `${alone.length} faults`,
        ...[points("first"), points("firstThree"), points("category"), points("fileFirst"), points("fileFirstThree")],
      ],
    ],
  );
}

/** Returns the totals for programs. */
export function summaryOf(scores: readonly Score[]): Record<string, object> {
  return Object.fromEntries(groupsOf(scores).map(([name, group]) => [name, figures(group)]));
}

function groupsOf(scores: readonly Score[]): [string, readonly Score[]][] {
  const groups: [string, readonly Score[]][] = [
    ["all", scores],
    ["without decoys", scores.filter(({ withDecoys }) => !withDecoys)],
    ["with decoys", scores.filter(({ withDecoys }) => withDecoys)],
  ];
  return groups.filter(([, group]) => group.length > 0);
}

interface Figures {
  readonly faults: number;
  readonly first: number;
  readonly firstThree: number;
  readonly category: number;
  /** For faults with a bug in a file. */
  readonly fileFirst: number;
  readonly fileFirstThree: number;
  readonly incidents: number;
  /** The share of further incidents whose first suspect is the right service. */
  readonly sameCause: number;
  readonly reportMs: number;
  readonly loudestFirst: number;
}

function figures(scores: readonly Score[]): Figures {
  const total = (value: (score: Score) => number): number => scores.reduce((sum, score) => sum + value(score), 0);
  const withFile = scores.filter(({ isFileFirst }) => isFileFirst !== null);
  const shareWithFile = (value: (score: Score) => boolean | null): number =>
    withFile.filter((score) => value(score)).length / withFile.length;
  const further = total(({ incidents }) => Math.max(0, incidents - 1));
  return {
    faults: scores.length,
    first: total(({ isFirst }) => Number(isFirst)) / scores.length,
    firstThree: total(({ isInFirstThree }) => Number(isInFirstThree)) / scores.length,
    category: total(({ isCategoryRight }) => Number(isCategoryRight)) / scores.length,
    fileFirst: shareWithFile(({ isFileFirst }) => isFileFirst),
    fileFirstThree: shareWithFile(({ isFileInFirstThree }) => isFileInFirstThree),
    incidents: total(({ incidents }) => incidents) / scores.length,
    sameCause: total(({ agreeing }) => agreeing) / further,
    reportMs: quantile(
      scores.flatMap(({ reportMs }) => reportMs ?? []),
      0.5,
    ),
    loudestFirst: total(({ causedBy, loudest }) => Number(causedBy === loudest)) / scores.length,
  };
}

function faultRow(score: Score): string[] {
  return [
    score.fault,
    mark(score.withDecoys),
    score.causedBy,
    score.suspected[0] ?? "none",
    mark(score.isFirst),
    mark(score.isInFirstThree),
    score.category ?? "none",
    mark(score.isCategoryRight),
    ...[score.isFileFirst, score.isFileInFirstThree].map((isRight) => (isRight === null ? "" : mark(isRight))),
    score.isRollbackRight === null ? "" : mark(score.isRollbackRight),
    score.incidents > 1 ? `${score.incidents} (${score.agreeing + Number(score.isFirst)} right)` : `${score.incidents}`,
    seconds(score.reportMs ?? Number.NaN),
    score.loudest ?? "none",
  ];
}

function rollbacksText(scores: readonly Score[]): string {
  const released = scores.filter(({ isReleased }) => isReleased);
  const right = scores.filter(({ isRollbackRight }) => isRollbackRight === true).length;
  const wrong = scores.filter(({ isRollbackRight }) => isRollbackRight === false).length;
  return `suggested for ${right} of ${released.length} faults that one undoes, and ${wrong} times wrongly`;
}

function groupRow(name: string, scores: readonly Score[]): string[] {
  const { faults, incidents, sameCause, reportMs, loudestFirst, ...shares } = figures(scores);
  const { first, firstThree, category, fileFirst, fileFirstThree } = shares;
  return [
    name,
    String(faults),
    ...[first, firstThree, category, fileFirst, fileFirstThree].map(percent),
    incidents.toFixed(2),
    percent(sameCause),
    seconds(reportMs),
    percent(loudestFirst),
  ];
}

function mark(is: boolean): string {
  return is ? "yes" : "-";
}

function percent(share: number): string {
  return Number.isNaN(share) ? "-" : `${Math.round(share * 100)}%`;
}

function seconds(ms: number): string {
  return Number.isNaN(ms) ? "-" : `${(ms / 1_000).toFixed(1)} s`;
}
