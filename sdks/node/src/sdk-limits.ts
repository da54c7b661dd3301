/**
 * The client's own limits, imported as `sdkLimits`; the wire format's are `limits` of the protocol. Each is a separate
 * export, so that a bundle contains only the ones it needs, under short names.
 */

/** Queued events: the largest batch (1,000), plus earlier events, those in flight, and the client's own heartbeats. */
export const queueEventsMax = 1_224;
/** From this many on, queued events are sent in the next turn rather than with the next flush. */
export const sendFromEvents = 100;
/** Estimated memory of queued events; what they share counts once. */
export const queueBytesMax = 8_388_608;
/** The part of it that unprinted stacks may hold before more time per turn is spent on printing. */
export const unprintedBytesMax = 1_048_576;
/** Bytes of JSON in one batch, which fit the wire even if they don't compress; a larger event is sent alone. */
export const batchJsonBytesMax = 1_000_000;
/** Time per turn for writing a batch and printing stacks of causes. */
export const packingTurnMs = 0.5;
/** Time per turn for printing stacks of causes when the unprinted ones hold too much. */
export const printingTurnMs = 4;
/** Events prepared for a batch; more once batches contain half of that. */
export const batchEventsMin = 100;
export const gzipFromBytes = 1_024;
/** The smallest size to which an event is trimmed when the service finds it too large. */
export const eventBytesMin = 8_192;
/** Bytes of one dropped range in a batch, as JSON. */
export const lossRunBytes = 64;

export const requestTimeoutMs = 10_000;
/** Timeouts for resolving the name, and for connecting, including the name. */
export const connectTimeoutMs = 3_000;
/** For each address of a name that has several, such as IPv6 and IPv4. */
export const addressTimeoutMs = 1_000;
/** For each name server. */
export const nameServerTimeoutMs = 1_000;
/** How often to check, during such attempts, whether the program has anything else to do. */
export const idleCheckIntervalMs = 100;
export const answerBytesMax = 1_048_576;
export const backOffFirstMs = 1_000;
export const backOffMaxMs = 60_000;
export const retryAfterMaxMs = 3_600_000;
export const flushTimeoutMs = 10_000;
/** Wait for an async `beforeSend`. */
export const beforeSendWaitMs = 2_000;
export const crashWaitMs = 1_500;
export const exitWaitMs = 500;
/** Bytes of the service's answer to the last events that are read for the files it names. */
export const finalAnswerBytesMax = 65_536;
/** Time spent before that on source lines for queued events other than crashes. */
export const finalSourcesMs = 100;
/**
 * Reserved for the end of a program that may open no more: a thread takes seven, and a file read meanwhile one more.
 */
export const spareDescriptors = 10;
/** Reserved this long after the start. */
export const spareDescriptorsAfterMs = 1_000;
/** How often another thread checks the main thread, whose loop turns at every flush interval. */
export const hangLookIntervalMs = 5_000;
/** How long the main thread must be blocked before it is reported, and the interval of further reports. */
export const hangFirstAfterMs = 15_000;
export const hangAgainAfterMs = 30_000;
/** Calls reported of its stack. */
export const hangFramesMax = 30;
/**
 * Limits per second for local variables: pauses, calls on the stacks, and total time, above which the program isn't
 * stopped.
 */
export const localsPausesMax = 10;
export const localsCallsMax = 1_000;
export const localsPauseMsMax = 100;
export const localsWindowMs = 1_000;
export const localsBackOffFirstMs = 5_000;
export const localsBackOffMaxMs = 60_000;
/** Calls per error whose variables are kept, variables per call, values in total, and their characters. */
export const localsFramesMax = 5;
export const localsPerFrameMax = 20;
export const localsValuesMax = 500;
export const localsCharactersMax = 8_192;
/** Entries per list or object, levels, and characters per text. */
export const localsEntriesMax = 10;
export const localsDepthMax = 3;
export const localsTextCharactersMax = 512;
/** Files of the program whose names are cached. */
export const localsScriptsMax = 10_000;
/** Characters of the service's shortest key. The client's own is replaced wherever it would leave. */
export const apiKeyLengthMin = 16;
/** The wait at the end of a Lambda invocation that recorded something, and the margin before its deadline. */
export const lambdaFlushMs = 2_000;
export const lambdaMarginMs = 200;

/** Bytes of one process's file, and of all files of one service in a folder. */
export const spoolFileBytesMax = 8_388_608;
export const spoolBytesMax = 67_108_864;
export const spoolFilesMax = 100;
export const spoolAgeMaxMs = 604_800_000;
export const spoolEventsPerWriteMax = 32;
export const spoolPendingMax = 1_024;
/** Wait after a disk failure. */
export const spoolRetryMs = 30_000;
/** When to first look for files of other processes, and the interval. */
export const spoolFirstLookMs = 1_000;
export const spoolLookIntervalMs = 60_000;
/** A file is touched every 5 s; after this long without a touch it is abandoned. */
export const spoolStaleMs = 60_000;

/** Calls inspected to find out whether Node itself called a job. */
export const nodeCallersMax = 20;

/** Nested causes followed to find the innermost ones. */
export const causesFollowedMax = 1_000;
/** Own properties per error, keys per record. */
export const propertiesMax = 50;
export const dataDepthMax = 4;
/** Characters of data per breadcrumb, and of attributes per event. */
export const breadcrumbCharactersMax = 4_096;
export const attributesCharactersMax = 65_536;
/** Tags and contexts per scope; characters of a user's data and of each context. */
export const tagsMax = 50;
export const contextsMax = 20;
export const contextCharactersMax = 4_096;
/** Recent activity in a heartbeat: breadcrumbs, characters per text, and characters of JSON in total. */
export const heartbeatBreadcrumbsMax = 20;
export const heartbeatTextCharactersMax = 512;
export const heartbeatBreadcrumbsCharactersMax = 8_192;
/** Characters of a database statement. */
export const statementCharactersMax = 1_024;
/** Cached statement shapes per database system. */
export const statementsCachedMax = 200;
/** Commands per MongoDB client without an end. */
export const databaseCallsOpenMax = 1_000;
/** Characters of a log record as a breadcrumb: of its message, and of the line that its fields are read from. */
export const logLineCharactersMax = 1_024;
export const logLineParsedMax = 4_096;

/** Five are enough for a reader; the engine traces a value to where it was created, usually in the same function. */
export const contextLinesAround = 20;
export const contextLineLengthMax = 300;
/** Lines of a function sent in full: with the lines around a place at its end, it fits the wire's `contextLinesMax`. */
export const functionLinesMax = 360;
/** Bytes of lines searched for a function; more than this is a bundle or data. */
export const functionSearchBytesMax = 131_072;
/** Bytes of functions that are waiting to be sent, or sent again; and the number of sent ones remembered. */
export const functionsCachedBytesMax = 1_048_576;
export const functionsSentMax = 1_000;
export const contextsPerEventMax = 16;
/** Events per batch with the same stack that carry its source. */
export const contextsPerStackMax = 5;
export const contextsCachedMax = 300;
export const sourceFileBytesMax = 2_097_152;
/** Bytes of one of git's files, which may list all branches and tags. */
export const gitFileBytesMax = 1_048_576;
/** Bytes of a compiled file, and of its map. */
export const sourceMapBytesMax = 16_777_216;
/** Characters of mappings read per turn: about 5 ms. */
export const mappingsPerTurn = 500_000;
export const mappedPlacesMax = 500;
export const stacksCachedMax = 200;

/** When the service is asked for the files that an investigation lacks, after a batch, and how often that may repeat. */
export const filesAskedFirstMs = 2_000;
export const filesAskedLastMs = 10_000;
export const filesAskedAgainMs = 15_000;
/** Attempts to send files that fail, and how long none is made after these. */
export const filesAttemptsMax = 3;
export const filesTriedAgainMs = 600_000;
/** Paths that the service asks for, and a process handles, in its life. */
export const handledPathsMax = 600;
/** Files of the program that are read to find those, and names looked up in each. */
export const loadedFilesMax = 500;
export const namedFilesMax = 200;

/** Places of one order to watch, and its longest text. */
export const watchPlacesMax = 10;
export const watchOrderBytesMax = 16_384;
/** How long places are watched, and how far ahead the service's clock may be. */
export const watchMsMax = 3_600_000;
export const watchClockSkewMs = 300_000;
/** Stops at one place in one process, after which it isn't watched any longer. */
export const watchStopsPerPlaceMax = 20;
/** ms for which watched places may stop a program: a second on average, and during one request. */
export const watchPauseMsPerSecond = 1;
export const watchPauseMsMax = 30;
/** How much may be owed when a request is watched that is like one which failed: then it waits until less is. */
export const watchOwedMsMax = 60;
/** How long one request is watched, and how many that failed are known. */
export const watchLookMsMax = 5_000;
export const watchFailedMax = 20;
/** Stops in the client's own code that come first: V8 takes many times as long for the first ones. */
export const watchWarmUpStops = 3;
/** What a stop takes, and what it takes more for each call on the stack, which V8 describes, in ms. */
export const watchPauseMs = 0.1;
export const watchPauseMsPerCall = 0.023;
/** The longest that reading values may take once, in ms: then the watch ends. */
export const watchReadMsMax = 50;
/** How often watched places are checked for their end and for a debugger. */
export const watchCheckMs = 250;
/** The share of its time that a program's event loop may be busy while places are watched. */
export const watchBusyMax = 0.95;
/** Breakpoints of one place, and values and callers of one stop. */
export const watchBreakpointsMax = 16;
export const watchValuesMax = 16;
export const watchCallersMax = 6;
/** Stops that one event carries. */
export const watchHitsPerEventMax = 60;
/** Characters of a value, of what is read of a text, and the longest text that is read at all. */
export const watchTextCharactersMax = 200;
export const watchReadCharactersMax = 512;
export const watchWholeCharactersMax = 16_384;
/** Levels and entries of a value. */
export const watchDepthMax = 2;
export const watchEntriesMax = 8;
/** Scripts whose names are kept while places are watched. */
export const watchScriptsMax = 20_000;
/** Ended orders that a process remembers. */
export const watchOrdersKeptMax = 1_000;
/** Characters of a file's name in a stop. */
export const watchFileCharactersMax = 1_024;
