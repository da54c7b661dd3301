import { type DefinedErrors, defineErrors } from "@whence/protocol";

const table = {
  WHENCE_ERR_QUEUE_UNAVAILABLE: {
    status: 503,
    message: "the queue %s is unavailable: %s. Try again later; if it persists, check the disk",
  },
  WHENCE_ERR_MESSAGE_TOO_LARGE: {
    status: 413,
    message: "message %s has %d bytes, but the queue accepts at most %d: split it",
  },
  WHENCE_ERR_EVENTS_UNAVAILABLE: {
    status: 503,
    message: "the event store can't %s now: %s. The operation may or may not have completed; try again",
  },
  WHENCE_ERR_CONTROL_UNAVAILABLE: {
    status: 503,
    message: "the control database %s is unavailable: %s. Try again; if it persists, check its disk and server",
  },
  WHENCE_ERR_CONTROL_MIGRATION_FAILED: {
    status: 500,
    message:
      "migration %s of the control database failed: %s. Restore the database, or start the version it belongs to",
  },
  WHENCE_ERR_CONTROL_NOT_EMPTY: {
    status: 409,
    message: "the control database already has rows in %s: restore the backup into an empty database",
  },
  WHENCE_ERR_BACKUP_UNREADABLE: {
    status: 500,
    message: "the backup of the control database can't be restored: %s. Nothing was written",
  },
  WHENCE_ERR_SECRET_UNREADABLE: {
    status: 500,
    message:
      "the credential %s of %s cannot be decrypted with any known secret key. Add the key it was stored with, or set it again",
  },
  WHENCE_ERR_SECRET_KEY_INVALID: {
    status: 500,
    message: "secret keys must have 32 bytes, but %s: set a key of 32 bytes",
  },
  WHENCE_ERR_KEY_OF_ANOTHER_ORGANIZATION: {
    status: 409,
    message: "this API key already belongs to an organization other than %s: create a new key",
  },
  WHENCE_ERR_DATA_DIRECTORY_IN_USE: {
    status: 500,
    message: "the data directory %s is in use by process %s: stop that process, or choose another directory",
  },
  WHENCE_ERR_DATA_DIRECTORY_UNWRITABLE: {
    status: 500,
    message: "the data directory %s can't be written: %s",
  },
  WHENCE_ERR_DATA_DIRECTORY_OPEN: {
    status: 500,
    message: "the data directory %s can't be made private: use one that belongs to the user of this process",
  },
} as const;

/** The errors of this package. */
export const storageErrors: DefinedErrors<typeof table> = defineErrors(table);
