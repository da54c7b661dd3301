import { defineErrors, type ErrorTable } from "@whence/protocol";

const table = {
  WHENCE_ERR_CONFIG_INVALID: { status: 500, message: "%s is %s, but it takes %s" },
  WHENCE_ERR_ADDRESS_IN_USE: { status: 500, message: "%s:%d is taken by another program: set PORT to a free one" },
} as const satisfies ErrorTable;

/** Errors that stop the start. */
export const serverErrors = defineErrors(table);
