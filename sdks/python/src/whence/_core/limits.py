"""Every limit of the client, once, with its unit last.

Those of the wire format are the ones of ``sdks/protocol/src/limits.ts``; a test compares them.
"""

BREADCRUMBS_MAX = 100
FLUSH_INTERVAL_S = 5.0
HEARTBEAT_INTERVAL_S = 60.0

BATCH_EVENTS_MAX = 1_000
EVENT_BYTES_MAX = 524_288
EXCEPTIONS_MAX = 20
FRAMES_MAX = 100
CONTEXT_LINES_MAX = 400
FUNCTION_BYTES_MAX = 16_384
FUNCTION_BYTES_PER_EVENT_MAX = 65_536
MESSAGE_LENGTH_MAX = 65_536
STACK_LENGTH_MAX = 131_072
TEXT_LENGTH_MAX = 8_192
TAG_NAME_LENGTH_MAX = 200
TAG_VALUE_LENGTH_MAX = 1_024
SERVICE_LENGTH_MAX = 200
DROPPED_RANGES_MAX = 1_000
REDACTIONS_MAX = 100
ENVIRONMENT_VARIABLES_MAX = 500
ENVIRONMENT_VARIABLE_LENGTH_MAX = 128
FILE_NAME_LENGTH_MAX = 1_024
WANTED_FILES_MAX = 60
SENT_FILES_MAX = 60
SENT_FILE_BYTES_MAX = 262_144
SENT_BYTES_MAX = 2_097_152

# The client's own, as in sdks/node/src/sdk-limits.ts where both have one.

QUEUE_EVENTS_MAX = 1_224
#: Bytes of captured events that aren't written yet and of written ones that aren't sent.
QUEUE_BYTES_MAX = 8_388_608
#: Bytes of the written ones alone, so that a dead backend leaves room for what is captured next.
WRITTEN_BYTES_MAX = 6_291_456
#: From this many on, queued events are sent at once rather than with the next flush.
SEND_FROM_EVENTS = 100
#: Bytes of JSON in one batch, which fit the wire even if they don't compress.
BATCH_JSON_BYTES_MAX = 1_000_000
GZIP_FROM_BYTES = 1_024
#: The smallest size to which an event is trimmed when the service finds it too large.
EVENT_BYTES_MIN = 8_192

REQUEST_TIMEOUT_S = 10.0
ANSWER_BYTES_MAX = 1_048_576
BACK_OFF_FIRST_S = 1.0
BACK_OFF_MAX_S = 60.0
RETRY_AFTER_MAX_S = 3_600.0
FLUSH_TIMEOUT_S = 10.0
CRASH_WAIT_S = 1.5
EXIT_WAIT_S = 0.5
#: How long a fork waits for the sender to leave, so that the child starts with one thread.
FORK_WAIT_S = 0.5
#: And while it imports a module.
FORK_WAIT_MAX_S = 10.0

#: Frames kept of the outermost calls when a stack is deeper than FRAMES_MAX.
OUTER_FRAMES_KEPT = 30
#: Calls per error whose variables are kept, variables per call, and values and characters in all.
LOCALS_FRAMES_MAX = 5
LOCALS_PER_FRAME_MAX = 20
LOCALS_VALUES_MAX = 500
LOCALS_CHARACTERS_MAX = 8_192
LOCALS_TIME_MAX_S = 0.002
#: Entries per container, levels, and characters per text.
LOCALS_ENTRIES_MAX = 10
LOCALS_DEPTH_MAX = 3
LOCALS_TEXT_CHARACTERS_MAX = 512

#: Characters of the service's shortest key. The client's own is replaced wherever it would leave.
API_KEY_LENGTH_MIN = 16

#: Data of the program: entries per level, levels, and characters of each kind.
DATA_ENTRIES_MAX = 50
DATA_DEPTH_MAX = 4
DATA_TIME_MAX_S = 0.02
BREADCRUMB_CHARACTERS_MAX = 4_096
CONTEXT_CHARACTERS_MAX = 4_096
ATTRIBUTES_CHARACTERS_MAX = 65_536
TAGS_MAX = 50
CONTEXTS_MAX = 20
HEADERS_CHARACTERS_MAX = 32_768
LOG_LINE_CHARACTERS_MAX = 1_024
HEARTBEAT_BREADCRUMBS_MAX = 20
HEARTBEAT_TEXT_CHARACTERS_MAX = 512
HEARTBEAT_BREADCRUMBS_BYTES_MAX = 8_192

CONTEXT_LINES_AROUND = 20
CONTEXT_LINE_LENGTH_MAX = 300
FUNCTION_LINES_MAX = 360
SOURCE_FILE_BYTES_MAX = 2_097_152
#: How much later than the start a file that runs may have changed: disks' clocks differ.
LATE_WRITE_S = 2.0
SOURCE_FILES_CACHED_MAX = 50
FUNCTIONS_SENT_MAX = 1_000
#: When the service is asked for the files that an investigation lacks, after a batch, and how often
#: that may repeat.
FILES_ASKED_FIRST_S = 2.0
FILES_ASKED_LAST_S = 10.0
FILES_ASKED_AGAIN_S = 15.0
#: How long asking, reading, and sending may take together.
FILES_TIME_MAX_S = 20.0
#: Attempts to send files that fail, and how long none is made after these.
FILES_ATTEMPTS_MAX = 3
FILES_TRIED_AGAIN_S = 600.0
#: Modules among which those are found, files of the program among these, names looked up in each,
#: and places at which all those of data are looked for.
SCANNED_MODULES_MAX = 20_000
LOADED_FILES_MAX = 500
NAMED_FILES_MAX = 200
NAMED_PLACES_MAX = 5_000
#: Modules after which the program gets its turn.
SCANNED_PER_TURN = 100
#: Wanted paths that are remembered as handled.
HANDLED_PATHS_MAX = 600
#: Bytes of one of git's files, which may list all branches and tags.
GIT_FILE_BYTES_MAX = 1_048_576

#: A failure is logged and captured at about the same time; later, it is another one.
DEDUPE_WINDOW_S = 5.0
REPORTED_ERRORS_KEPT = 32

SPOOL_FILE_BYTES_MAX = 8_388_608
SPOOL_BYTES_MAX = 67_108_864
SPOOL_FILES_MAX = 100
SPOOL_AGE_MAX_S = 604_800.0
SPOOL_RETRY_S = 30.0
SPOOL_FIRST_LOOK_S = 1.0
SPOOL_LOOK_INTERVAL_S = 60.0
#: A file is touched every flush interval; after this long without a touch it is abandoned.
SPOOL_STALE_S = 60.0
