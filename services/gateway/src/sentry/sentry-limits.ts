/** Limits of what Sentry's clients send. `docs/limits.md` lists them. */
export const sentryLimits = {
  /** Sentry's limits for the bytes of one request, on the wire and unpacked. Attachments count, although they aren't kept. */
  envelopeBytesMax: 20_971_520,
  envelopeUnpackedBytesMax: 104_857_600,
  /** Bytes of one that is read whole; a larger one is read in parts. */
  wholeBytesMax: 2_097_152,
  wholeUnpackedBytesMax: 8_388_608,
  /** Bytes of all items of one envelope that are read. Spans give way to other items. */
  envelopeReadBytesMax: 8_388_608,
  /** Items of one envelope, and bytes of one that is read. */
  itemsMax: 100,
  itemBytesMax: 1_048_576,
  /**
   * The same of an item of spans; one span may have `itemBytesMax`. Clients end an item at some 5 MB by their estimate,
   * in which Python's counts characters.
   */
  spanItemBytesMax: 8_388_608,
  /** Runs of jobs of one envelope that are read. */
  checkInsMax: 10,
  /** Sessions of one envelope that count. */
  sessionsMax: 50_000,
  /** Pairs of a release and an environment whose sessions count, of one project in two hours. */
  releasesMax: 200,
  /** Of these, rows of a release and an hour in which its sessions began, of one project in two hours. */
  sessionRowsMax: 1_000,
  /** Steps of one transaction, and spans of one item, that are read. */
  spansMax: 1_000,
  /** Bytes of the line that describes an envelope or an item. */
  headerBytesMax: 16_384,
  /** Objects kept of one event's contexts. */
  contextsMax: 20,
  tagsMax: 100,
  /** Built files of one event whose debug IDs are kept. */
  debugIdsMax: 100,
  headersMax: 100,
  variablesMax: 100,
} as const;
