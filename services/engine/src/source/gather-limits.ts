/** What is read of a service's code for one incident. */
export const gatherLimits = {
  filesMax: 20,
  /** Of installed packages, among {@link gatherLimits.filesMax}. */
  packagedFilesMax: 4,
  fileBytesMax: 400_000,
  bytesMax: 2_000_000,
} as const;
