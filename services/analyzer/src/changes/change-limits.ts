import { dayMs } from "@whence/protocol";

/** Every limit for reading the changes between two releases, once, with its unit last. */
export const changeLimits = {
  /** Releases per investigation whose changes are read, the suspect ones first. */
  releasesMax: 4,
  /** Files per release whose hunks are read. */
  filesMax: 60,
  fileBytesMax: 400_000,
  /** Of a list of dependencies: lock files are long, and few of their lines differ. */
  dependencyListBytesMax: 2_097_152,
  /** Hunks per release. More means generated code, or another program. */
  hunksMax: 300,
  /** UTF-16 units of all their lines. */
  hunkUnitsMax: 400_000,
  /** A longer hunk counts as several. */
  hunkLinesMax: 40,
  /** A longer line is generated code: its file isn't compared. */
  lineUnitsMax: 1_000,
  /** Differing lines of two files; above that, they have nothing in common. */
  editLinesMax: 1_500,
  compareTimeoutMs: 1_000,
  /** Time per release, including reading. */
  readWithinMs: 3_000,
  commitsMax: 50,
  /** Files of all commits of a release that a build tool set. */
  setPathsMax: 1_000,
  /** Commits that a report quotes as data. */
  commitsShownMax: 10,
  patchBytesMax: 4_000_000,
  /** Files of the failing code whose lines' last commits are queried. */
  blamedFilesMax: 3,
  /** Time before the event: a failure may have begun weeks earlier, and the engine compares with its beginning. */
  blamedWithinMs: 30 * dayMs,
} as const;
