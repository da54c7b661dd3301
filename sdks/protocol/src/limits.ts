/**
 * Every limit of the wire format, once, with its unit last. Imports nothing, so that the telemetry client can inline
 * it. Sources: the interface specification (Limits, Events) where it names a value, `docs/limits.md` for the rest.
 */
export const limits = {
  /** Breadcrumbs kept by a client and carried by an event. */
  breadcrumbsMax: 100,
  flushIntervalMs: 5_000,
  heartbeatIntervalMs: 60_000,

  batchEventsMax: 1_000,
  /** Bytes on the wire, compressed or not. */
  batchBytesMax: 1_048_576,
  batchUnpackedBytesMax: 8_388_608,
  /** Bytes of one event as JSON. A client trims to it; the gateway rejects above it. */
  eventBytesMax: 524_288,
  /** How old an event may be at its receipt; a client's spool keeps events as long. */
  eventAgeMaxMs: 604_800_000,
  /** How far a client's clock may be ahead of the gateway's. */
  eventAheadMaxMs: 60_000,
  /** Causes of one exception, aggregates included. */
  exceptionsMax: 20,
  framesMax: 100,
  /** Lines of source in one frame. */
  contextLinesMax: 400,
  /** UTF-8 bytes of one function that a client sends in full, and of all source in one event. */
  functionBytesMax: 16_384,
  functionBytesPerEventMax: 65_536,
  messageLengthMax: 65_536,
  stackLengthMax: 131_072,
  /** Characters of names, types, paths, URLs: anything that isn't prose. */
  textLengthMax: 8_192,
  /** Characters of a tag's name, and of its value. */
  tagNameLengthMax: 200,
  tagValueLengthMax: 1_024,
  /** Names of environment variables in one event, and characters of a name. */
  environmentVariablesMax: 500,
  environmentVariableLengthMax: 128,
  serviceLengthMax: 200,
  droppedRangesMax: 1_000,
  /** Replaced values listed in one event. */
  redactionsMax: 100,

  errorLogBytesMax: 1_048_576,
  filesMax: 20,
  fileContentBytesMax: 1_048_576,
  fileNameLengthMax: 1_024,
  /** Total bytes of source maps and similar files in a request for a preview. */
  previewedContentBytesMax: 4_194_304,
  /** Characters of the reason given with a verdict on a report. */
  feedbackReasonLengthMax: 4_000,
  /** Characters of one comment on an incident. */
  commentLengthMax: 4_000,
  /** Characters of a question about a report. */
  questionLengthMax: 500,

  /** Rules per organization. */
  notificationRulesMax: 50,
  notificationRuleNameLengthMax: 100,
  /** Addresses per rule. */
  notificationEmailsMax: 20,
  /** Names in each of a rule's lists of services and environments. */
  notificationFilterNamesMax: 100,
  /** The highest hourly message limit that a rule may set. */
  notificationsPerHourMax: 500,

  sourceLengthMin: 1,
  sourceLengthMax: 50,
  unclaimedAgentLifetimeMs: 259_200_000,
  /** Bytes of an analysis request from an agent that isn't claimed yet. */
  unclaimedAgentAnalysisBytesMax: 2_097_152,

  /** Processor time of one investigation. */
  investigationProcessorMs: 10_000,
  /** Event streams open at once in a process: per key or person, per unclaimed agent, and per organization. */
  streamsPerKeyMax: 20,
  streamsPerUnclaimedAgentMax: 5,
  streamsPerOrganizationMax: 200,

  /** Compressed bytes on disk for the texts and files of analyses: per unclaimed agent, and for all of them. */
  unclaimedAgentInputBytesMax: 4_194_304,
  unclaimedAgentsInputBytesMax: 268_435_456,
  /** The same per key of an organization, and the default per organization. */
  keyInputBytesMax: 134_217_728,
  organizationInputBytesMax: 1_073_741_824,
  /** The range that an organization may choose from. */
  organizationInputBytesMin: 1_048_576,

  /** Files of one uploaded release, and bytes of one file, and of one with data other than a list of dependencies. */
  sourceFilesMax: 10_000,
  sourceFileBytesMax: 2_097_152,
  sourceDataFileBytesMax: 262_144,
  /** Bytes of one upload of contents, as JSON. */
  sourceUploadBytesMax: 8_388_608,
  /** Releases per service whose sources are kept; the oldest upload is deleted first. */
  sourceBundlesPerServiceMax: 50,
  /** Bytes on disk for an organization's sources: compressed texts and lists, and their rows. */
  organizationSourceBytesMax: 1_073_741_824,

  /**
   * Files that processes send because an investigation lacks them: paths asked for at once, files of one request and
   * of one process, bytes of one file, of all of a process, and files kept of a release.
   */
  wantedFilesMax: 60,
  sentFilesMax: 60,
  sentFileBytesMax: 262_144,
  sentBytesMax: 2_097_152,
  sentFilesPerReleaseMax: 300,
  /** How long an investigation's files are asked for. */
  filesWantedMs: 86_400_000,

  /** Releases that an organization reported as live; the one reported first is deleted first. */
  reportedReleasesMax: 1_000,

  registerPerHourPerAddress: 30,
  signInPerMinutePerAddress: 20,
  analyzePerMinutePerKey: 120,
  telemetryPerMinutePerKey: 1_200,
  /** Uploads of a release's list of source files. */
  sourceListsPerMinutePerOrganization: 120,
  unclaimedAgentAnalysesPerDay: 20,
  /** Analyses of one unclaimed agent that are queued or running. */
  unclaimedAgentOpenAnalysesMax: 3,
  /** Analyses of all unclaimed agents behind one address. */
  unclaimedAnalysesPerHourPerAddress: 60,
} as const;

/** The type of {@link limits}, for functions that take some of them as arguments. */
export type Limits = typeof limits;
