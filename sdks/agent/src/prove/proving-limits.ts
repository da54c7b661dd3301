/** Bounds of a watched run; those of what is sent are in the protocol's `watchedRunLimits`. */
export const provingLimits = {
  /** Seconds for all runs together, unless `--within` says otherwise. */
  withinSeconds: 300,
  /** How often `--times` runs a command at most. */
  timesMax: 100,
  /** Stops at one place in one process, after which it is given up. */
  stopsPerPlaceMax: 20_000,
  /** How long one process is stopped in all. */
  pauseMsMax: 20_000,
  /** The share of the time left in which a watched run stops at places, so that it ends. */
  shareForPlaces: 1 / 2,
  /** Throws at which a process stops; after that, only at those that nothing catches. */
  throwsMax: 2_000,
  /** Steps through the code of followed calls, and how many calls within each other are followed. */
  stepsMax: 20_000,
  followedDepthMax: 8,
  /** Files of the tree that one process names, whose code it loaded. */
  loadedFilesMax: 500,
  /** Characters that one process writes of what was seen. */
  writtenLengthMax: 8_000_000,
  /** Files and bytes of a tree that is copied to try a patch; installed packages are linked. */
  treeEntriesMax: 50_000,
  treeBytesMax: 500_000_000,
} as const;
