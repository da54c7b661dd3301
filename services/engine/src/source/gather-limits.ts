/** How much of a service's code is read for one incident. */
export const gatherLimits = {
  filesMax: 20,
  /** Files of installed packages, included in {@link gatherLimits.filesMax}. */
  packagedFilesMax: 4,
  fileBytesMax: 400_000,
  bytesMax: 2_000_000,
} as const;
