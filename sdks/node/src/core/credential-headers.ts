import { credentialHeaders as known } from "@whence/protocol/redaction";

/**
 * Headers that carry credentials and aren't redacted by default, for the `redact` option. Declared here so that the
 * package's types need no other package.
 */
export const credentialHeaders: readonly string[] = known;
