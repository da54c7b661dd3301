/**
 * The client's own limits, imported as `sdkLimits`; those of the wire are the protocol's `limits`. Each is a separate
 * export, so that a bundle contains only those that it needs, under short names.
 */

/**
 * Events that wait: a burst as large as a batch may be (1,000), beside those that came before it and are under way, and
 * the client's own heartbeats.
 */
export const queueEventsMax = 1_224;
/** This many queued events are sent in the next turn, not with the next flush. */
export const sendFromEvents = 100;
/** What they may hold in memory, estimated; what they share counts once. */
export const queueBytesMax = 8_388_608;
/** What stacks may hold of that while they have not been printed, before more time of a turn is taken for it. */
export const unprintedBytesMax = 1_048_576;
/** Of JSON in one batch, which fits the wire however badly it compresses; a larger event goes alone. */
export const batchJsonBytesMax = 1_000_000;
/** Events are written for a batch, and stacks of causes printed, until the program has its turn. */
export const packingTurnMs = 0.5;
/** Stacks of causes are printed in one turn when those that have not been hold too much. */
export const printingTurnMs = 4;
/** Events that are made ready for a batch; more of them once batches hold half of that. */
export const batchEventsMin = 100;
export const gzipFromBytes = 1_024;
/** An event that the service finds too large is trimmed down to this and no further. */
export const eventBytesMin = 8_192;
/** One run of lost numbers in a batch, as JSON. */
export const lossRunBytes = 64;

export const requestTimeoutMs = 10_000;
/** To resolve the name; and to connect, name included. */
export const connectTimeoutMs = 3_000;
/** For each address of a name that has several, such as one of IPv6 and one of IPv4. */
export const addressTimeoutMs = 1_000;
/** For each name server that has not answered yet. */
export const nameServerTimeoutMs = 1_000;
/** How often it is asked, during such attempts, whether the program has anything else to do. */
export const idleCheckIntervalMs = 100;
export const answerBytesMax = 1_048_576;
export const backOffFirstMs = 1_000;
export const backOffMaxMs = 60_000;
export const retryAfterMaxMs = 3_600_000;
export const flushTimeoutMs = 10_000;
/** For the answer of an async `beforeSend`. */
export const beforeSendWaitMs = 2_000;
export const crashWaitMs = 1_500;
export const exitWaitMs = 500;
/** Before that, for the source around the frames of what else waits than a crash. */
export const finalSourcesMs = 100;
/** For the end of a program that may open no more: a thread takes seven, a file that is read meanwhile one more. */
export const spareDescriptors = 10;
/** Taken so long after the start. */
export const spareDescriptorsAfterMs = 1_000;
/** How often another thread checks that the main thread still turns, which it does every flush interval. */
export const hangLookIntervalMs = 5_000;
/** A main thread that hasn't turned for this long is reported, and then again at this interval. */
export const hangFirstAfterMs = 15_000;
export const hangAgainAfterMs = 30_000;
/** Calls of its stack. */
export const hangFramesMax = 30;
/** Of local variables: pauses, calls on the stacks at these, and their time, after which the program isn't stopped. */
export const localsPausesMax = 10;
export const localsCallsMax = 1_000;
export const localsPauseMsMax = 100;
export const localsWindowMs = 1_000;
export const localsBackOffFirstMs = 5_000;
export const localsBackOffMaxMs = 60_000;
/** Calls of an error whose variables are kept, variables of a call, values of all of them, and characters of those. */
export const localsFramesMax = 5;
export const localsPerFrameMax = 20;
export const localsValuesMax = 500;
export const localsCharactersMax = 8_192;
/** Entries of a list or an object, levels of them, and characters of a text. */
export const localsEntriesMax = 10;
export const localsDepthMax = 3;
export const localsTextCharactersMax = 512;
/** Files of the program whose names are remembered. */
export const localsScriptsMax = 10_000;
/** At the end of a Lambda invocation that recorded something, and how long before its deadline at the latest. */
export const lambdaFlushMs = 2_000;
export const lambdaMarginMs = 200;

/** One process's file, and all of a folder's of one service. */
export const spoolFileBytesMax = 8_388_608;
export const spoolBytesMax = 67_108_864;
export const spoolFilesMax = 100;
export const spoolAgeMaxMs = 604_800_000;
export const spoolEventsPerWriteMax = 32;
export const spoolPendingMax = 1_024;
/** After the disk failed. */
export const spoolRetryMs = 30_000;
/** Files of others are looked for so long after the start, then again and again. */
export const spoolFirstLookMs = 1_000;
export const spoolLookIntervalMs = 60_000;
/** A file is touched every 5 s; one that hasn't been for this long has no owner. */
export const spoolStaleMs = 60_000;

/** Calls that are looked at for whether Node itself called a job. */
export const nodeCallersMax = 20;

/** Causes, one inside the other, among which the innermost are looked for. */
export const causesFollowedMax = 1_000;
/** Own properties of one error, keys of one record. */
export const propertiesMax = 50;
export const dataDepthMax = 4;
/** Characters of one breadcrumb's data, and of one event's attributes. */
export const breadcrumbCharactersMax = 4_096;
export const attributesCharactersMax = 65_536;
/** Tags and contexts of one scope; characters of its user's data and of each context's. */
export const tagsMax = 50;
export const contextsMax = 20;
export const contextCharactersMax = 4_096;
/** Of what a heartbeat tells that the process did last: breadcrumbs, one of their texts, and all of them as JSON. */
export const heartbeatBreadcrumbsMax = 20;
export const heartbeatTextCharactersMax = 512;
export const heartbeatBreadcrumbsCharactersMax = 8_192;
/** Of a statement that is sent to a database. */
export const statementCharactersMax = 1_024;
/** Statements whose shape is remembered, for each database system. */
export const statementsCachedMax = 200;
/** Commands of one MongoDB client whose end hasn't come. */
export const databaseCallsOpenMax = 1_000;
/** Of a log record that becomes a breadcrumb: its message, and the line that its fields are read from. */
export const logLineCharactersMax = 1_024;
export const logLineParsedMax = 4_096;

/** Five are enough for a reader; the engine follows a value back to where it was made, mostly in the same function. */
export const contextLinesAround = 20;
export const contextLineLengthMax = 300;
/** Of a function that is sent whole: with the lines around a place at its end it fits the wire's `contextLinesMax`. */
export const functionLinesMax = 360;
/** Of the lines that a function is looked for in; what has more of them is a bundle, or data. */
export const functionSearchBytesMax = 131_072;
/** Of functions that wait to be sent, or to be sent again; and how many that were sent are remembered. */
export const functionsCachedBytesMax = 1_048_576;
export const functionsSentMax = 1_000;
export const contextsPerEventMax = 16;
/** Of the events in one batch that share a stack, those that carry its source. */
export const contextsPerStackMax = 5;
export const contextsCachedMax = 300;
export const sourceFileBytesMax = 2_097_152;
/** Of a file of git's, which may list all branches and tags. */
export const gitFileBytesMax = 1_048_576;
/** Of a compiled file, and of its map. */
export const sourceMapBytesMax = 16_777_216;
/** Characters of mappings that are read before the program has its turn: about 5 ms. */
export const mappingsPerTurn = 500_000;
export const mappedPlacesMax = 500;
export const stacksCachedMax = 200;
