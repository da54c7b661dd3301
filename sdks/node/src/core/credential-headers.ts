import { credentialHeaders as known } from "@whence/protocol/redaction";

/**
 * For the option `redact`: headers that carry credentials, and that are not replaced unless a program asks for it. Said
 * here, since the types of the package need no other package.
 */
export const credentialHeaders: readonly string[] = known;
