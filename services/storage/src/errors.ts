import { type DefinedErrors, defineErrors } from "@whence/protocol";

const table = {
  WHENCE_ERR_QUEUE_UNAVAILABLE: {
    status: 503,
    message: "the queue %s cannot do this now: %s. Send it again later; look at the disk if it goes on",
  },
  WHENCE_ERR_MESSAGE_TOO_LARGE: {
    status: 413,
    message: "message %s is of %d bytes, and the queue takes %d in one: split it",
  },
  WHENCE_ERR_EVENTS_UNAVAILABLE: {
    status: 503,
    message: "the event store cannot %s now: %s. Nothing may be assumed about what was under way; try again",
  },
  WHENCE_ERR_CONTROL_UNAVAILABLE: {
    status: 503,
    message: "the control database %s cannot do this now: %s. Try again; look at its disk and its server if it goes on",
  },
  WHENCE_ERR_CONTROL_MIGRATION_FAILED: {
    status: 500,
    message:
      "the control database could not be brought up to date at %s: %s. Restore it, or start the version it is of",
  },
  WHENCE_ERR_CONTROL_NOT_EMPTY: {
    status: 409,
    message: "the control database has rows in %s already: restore a backup into an empty database",
  },
  WHENCE_ERR_BACKUP_UNREADABLE: {
    status: 500,
    message: "the backup of the control database cannot be restored: %s. Nothing was written",
  },
  WHENCE_ERR_SECRET_UNREADABLE: {
    status: 500,
    message:
      "the credential %s of %s cannot be decrypted with any known secret key. Add the key it was stored with, or set it again",
  },
  WHENCE_ERR_SECRET_KEY_INVALID: {
    status: 500,
    message: "credentials are stored under secret keys of 32 bytes, and %s: give the service such a key",
  },
  WHENCE_ERR_KEY_OF_ANOTHER_ORGANIZATION: {
    status: 409,
    message: "this API key belongs to another organization than %s already: make a new key",
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
    message: "the data directory %s can't be closed to other users: use one that belongs to the user of this process",
  },
} as const;

/** Everything that this package throws on purpose. */
export const storageErrors: DefinedErrors<typeof table> = defineErrors(table);
