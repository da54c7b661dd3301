/** Limits of bundles of built files. `docs/limits.md` lists them. */
export const artifactLimits = {
  /** Bytes of one part of a bundle. */
  chunkBytesMax: 8_388_608,
  /** Parts of one request. */
  chunksPerRequest: 1,
  /** Bytes of one request: a part, with its names. */
  chunkRequestBytesMax: 8_454_144,
  /** Bytes of a bundle, packed and unpacked. */
  bundleBytesMax: 33_554_432,
  bundleUnpackedBytesMax: 134_217_728,
  /** Files of a bundle, without the sources that its maps contain. */
  bundleFilesMax: 2_000,
  /** Bytes of a map without the sources that it contains. Bigger ones aren't kept. */
  mapBytesMax: 16_777_216,
  /** Bundles of a process, and of an organization in it, that are being assembled or wait for it. One is assembled at a time. */
  assembliesMax: 16,
  assembliesPerOrganizationMax: 4,
  /** Requests with a part or a bundle by an organization in a minute. */
  requestsPerMinutePerOrganization: 300,
} as const;
