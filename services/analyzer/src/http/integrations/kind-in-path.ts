import { type IntegrationKindName, integrationKindName } from "@whence/protocol";
import { analyzerErrors } from "../../errors.ts";

/** The kind in a path. Throws `WHENCE_ERR_INTEGRATION_UNKNOWN`. */
export function kindOf(text: string): IntegrationKindName {
  const kind = integrationKindName(text);
  if (kind === null) throw analyzerErrors.create("WHENCE_ERR_INTEGRATION_UNKNOWN", [text.slice(0, 60)]);
  return kind;
}
