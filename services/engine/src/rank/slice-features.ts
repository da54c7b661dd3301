import type { SlicePiece } from "../trace/slice/backward-slice.ts";
import type { FileView } from "./file-view.ts";

const kinds: readonly SlicePiece["kind"][] = [
  ...(["local", "argument", "result", "named", "field", "change"] as const),
  ...(["condition", "before", "user", "file", "frame"] as const),
];

/** Returns the features of the part of the failure's backward slice that is in each file, also compared with the others. */
export function sliceFeatures(files: readonly FileView[]): (view: FileView) => Record<string, number> {
  const all = new Map(files.map((view) => [view, summaryOf(view.slice)]));
  const off = files.flatMap((view) => (view.frames.length > 0 ? [] : (all.get(view) ?? [])));
  const sum = total([...all.values()].map((one) => one.sum));
  const ends = total([...all.values()].map((one) => one.ends));
  const best = Math.max(0, ...off.map((one) => one.best));
  const rankOf = (of: "best" | "sum", value: number): number => 1 / (1 + off.filter((one) => one[of] > value).length);
  return (view) => {
    const own = all.get(view);
    if (!own || own.sum === 0) return {};
    return {
      sliceBest: own.best,
      sliceSum: Math.log1p(own.sum),
      sliceShare: own.sum / sum,
      sliceSteps: 1 / (1 + own.steps),
      sliceRank: rankOf("best", own.best),
      sliceSumRank: rankOf("sum", own.sum),
      sliceOfBest: best > 0 ? Math.min(ofBestMax, own.best / best) : 0,
      sliceEnds: ends > 0 ? own.ends / ends : 0,
      sliceEnded: own.ends / own.sum,
      ...Object.fromEntries(kinds.map((kind) => [`slice-${kind}`, strongest(view.slice, kind)])),
    };
  };
}

/** Files on the stack may have more of it than any other by far. */
const ofBestMax = 2;

function summaryOf(pieces: readonly SlicePiece[]): Record<"best" | "sum" | "ends" | "steps", number> {
  return {
    best: Math.max(0, ...pieces.map(({ weight }) => weight)),
    sum: total(pieces.map(({ weight }) => weight)),
    ends: total(pieces.map(({ weight, isEnd }) => (isEnd ? weight : 0))),
    steps: Math.min(...pieces.map(({ steps }) => steps)),
  };
}

function strongest(pieces: readonly SlicePiece[], wanted: SlicePiece["kind"]): number {
  return Math.max(0, ...pieces.map(({ kind, weight }) => (kind === wanted ? weight : 0)));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
