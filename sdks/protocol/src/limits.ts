/**
 * Every number of the wire, once, with its unit last. Free of imports, so that the telemetry client can inline it.
 * Sources: the interface specification (Limits, Events) where it names a value, `docs/limits.md` for the rest.
 */
export const limits = {
  /** Breadcrumbs kept by a client and carried by an event. */
  breadcrumbsMax: 100,
  flushIntervalMs: 5_000,
  heartbeatIntervalMs: 60_000,

  batchEventsMax: 1_000,
  /** On the wire, compressed or not. */
  batchBytesMax: 1_048_576,
  batchUnpackedBytesMax: 8_388_608,
  /** One event, as JSON. A client trims to it; the gateway rejects beyond it. */
  eventBytesMax: 524_288,
  /** How long before its receipt an event may have happened: what a client's spool keeps. */
  eventAgeMaxMs: 604_800_000,
  /** How far a client's clock may be ahead of the gateway's. */
  eventAheadMaxMs: 60_000,
  /** Causes of one exception, aggregates included. */
  exceptionsMax: 20,
  framesMax: 100,
  /** Lines of source of one frame. */
  contextLinesMax: 400,
  /** Source of one function that a client sends whole, and of all that one event carries, in UTF-8. */
  functionBytesMax: 16_384,
  functionBytesPerEventMax: 65_536,
  messageLengthMax: 65_536,
  stackLengthMax: 131_072,
  /** Names, types, paths, URLs: anything that is no prose. */
  textLengthMax: 8_192,
  /** Characters of the name and of the value of one tag. */
  tagNameLengthMax: 200,
  tagValueLengthMax: 1_024,
  serviceLengthMax: 200,
  droppedRangesMax: 1_000,
  /** Replaced values that one event names. */
  redactionsMax: 100,

  errorLogBytesMax: 1_048_576,
  filesMax: 20,
  fileContentBytesMax: 1_048_576,
  fileNameLengthMax: 1_024,
  /** Of source maps and the like, all together, in the request for a preview. */
  previewedContentBytesMax: 4_194_304,
  /** Characters of the reason that a verdict on a report comes with. */
  feedbackReasonLengthMax: 4_000,
  /** Characters of a question about a report. */
  questionLengthMax: 500,

  /** Of one organization. */
  notificationRulesMax: 50,
  notificationRuleNameLengthMax: 100,
  /** Addresses of one rule. */
  notificationEmailsMax: 20,
  /** Names in each of a rule's lists of services and environments. */
  notificationFilterNamesMax: 100,
  /** What a rule may set as its messages an hour. */
  notificationsPerHourMax: 500,

  sourceLengthMin: 1,
  sourceLengthMax: 50,
  unclaimedAgentLifetimeMs: 259_200_000,
  /** The body of an analysis that an agent starts before anybody has claimed it. */
  unclaimedAgentAnalysisBytesMax: 2_097_152,

  /** Of a processor, for the report of an investigation. */
  investigationProcessorMs: 10_000,
  /** Event streams open at once in a process: of a key or a person, of an unclaimed agent, and of an organization. */
  streamsPerKeyMax: 20,
  streamsPerUnclaimedAgentMax: 5,
  streamsPerOrganizationMax: 200,

  /** What the texts and files of analyses may take of the disk, compressed: of one unclaimed agent, of all of them. */
  unclaimedAgentInputBytesMax: 4_194_304,
  unclaimedAgentsInputBytesMax: 268_435_456,
  /** Likewise of one key of an organization, and of an organization that chose no bound of its own. */
  keyInputBytesMax: 134_217_728,
  organizationInputBytesMax: 1_073_741_824,
  /** What an organization may choose. */
  organizationInputBytesMin: 1_048_576,

  /** Files of one uploaded release, and the text of one. */
  sourceFilesMax: 5_000,
  sourceFileBytesMax: 2_097_152,
  /** The body of one upload of contents, as JSON. */
  sourceUploadBytesMax: 8_388_608,
  /** Releases of one service whose sources are kept; the oldest upload goes first. */
  sourceBundlesPerServiceMax: 50,
  /** What the sources of an organization may take of the disk: texts and lists compressed, and their rows. */
  organizationSourceBytesMax: 1_073_741_824,

  /** Releases that an organization reported as live; the one reported first goes first. */
  reportedReleasesMax: 1_000,

  registerPerHourPerAddress: 30,
  signInPerMinutePerAddress: 20,
  analyzePerMinutePerKey: 120,
  telemetryPerMinutePerKey: 1_200,
  /** Lists of a release's source files. */
  sourceListsPerMinutePerOrganization: 120,
  unclaimedAgentAnalysesPerDay: 20,
  /** Of one unclaimed agent, that wait or are under way. */
  unclaimedAgentOpenAnalysesMax: 3,
  /** Of all unclaimed agents behind one address. */
  unclaimedAnalysesPerHourPerAddress: 60,
} as const;

/** The shape of {@link limits}, for what takes some of them as arguments. */
export type Limits = typeof limits;
