import type { Traced } from "../src/trace/traced.ts";

/** The trace of an error without code. */
export const nothingTraced: Traced = {
  frames: [],
  wraps: [],
  signals: [],
  files: [],
  leftOut: [],
  outOfSight: [],
  slice: new Map(),
  writers: null,
  repairs: { of: () => [], parses: async () => false },
};
