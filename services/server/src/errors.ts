import { defineErrors, type ErrorTable } from "@whence/protocol";

const table = {
  WHENCE_ERR_CONFIG_INVALID: { status: 500, message: "%s is %s, but must be %s" },
  WHENCE_ERR_ROLE_NEEDS: {
    status: 500,
    message: "the role %s needs %s: processes can't share the data directory of one of them",
  },
  WHENCE_ERR_SECRET_KEY_FILE: {
    status: 500,
    message: "%s doesn't contain 32-byte keys in base64, one per line: restore it from a backup",
  },
  WHENCE_ERR_OPERATOR_REFUSED: { status: 500, message: "%s answered %s: %s" },
  WHENCE_ERR_AUDIT_LOG_ALTERED: {
    status: 500,
    message: "the audit log was altered: %s. Compare it with a backup, and find out who can write to the database",
  },
  WHENCE_ERR_USAGE: { status: 500, message: "%s. Try whence-server --help" },
  WHENCE_ERR_ADDRESS_IN_USE: { status: 500, message: "%s:%d is in use by another program: set PORT to a free port" },
  WHENCE_ERR_REQUEST_MALFORMED: { status: 400, message: "the request isn't HTTP/1.1 with a Host header" },
  WHENCE_ERR_REQUEST_TIMEOUT: { status: 408, message: "the request didn't arrive in time: send it again" },
  WHENCE_ERR_HEADERS_TOO_LARGE: { status: 431, message: "the request's headers are larger than 16 KiB" },
} as const satisfies ErrorTable;

/** Errors that stop the start, and those of connections without a valid request. */
export const serverErrors = defineErrors(table);
