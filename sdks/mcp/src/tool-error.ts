import { ServiceRefusal } from "@whence/agent";
import { WhenceError } from "@whence/protocol";

/** What a model can do about each error; the message says what happened. */
const advice: Readonly<Record<string, string>> = {
  WHENCE_ERR_KEY_UNKNOWN:
    "Do not try again. Ask the person for a working key (WHENCE_API_KEY), or to unset it so that this server registers itself.",
  WHENCE_ERR_KEY_REVOKED: "Do not try again. Ask the person for another key (WHENCE_API_KEY).",
  WHENCE_ERR_KEY_EXPIRED: "Do not try again. Ask the person for another key (WHENCE_API_KEY).",
  WHENCE_ERR_KEY_SCOPE:
    "Do not try again. Ask the person for a key with the scope that the message names (WHENCE_API_KEY), or to unset it.",
  WHENCE_ERR_AGENT_UNCONFIRMED:
    "Do not try again. Tell the person that an owner of the organization must confirm this agent.",
  WHENCE_ERR_SERVICE_UNREACHABLE:
    "Several attempts failed. Tell the person; try again only when they say that the service is running.",
  WHENCE_ERR_SERVICE_TIMEOUT: "Try once more with fewer files, then tell the person.",
  WHENCE_ERR_SERVICE_ANSWER: "Do not try again. Tell the person to check WHENCE_URL.",
  WHENCE_ERR_SERVICE_REDIRECTS: "Do not try again. Tell the person to change WHENCE_URL.",
  WHENCE_ERR_ADDRESS_INVALID: "Do not try again. Tell the person to change WHENCE_URL.",
  WHENCE_ERR_AGENT_BODY_TOO_LARGE: "Send fewer or smaller files: the ones closest to the failure.",
  WHENCE_ERR_BODY_TOO_LARGE: "Send fewer or smaller files: the ones closest to the failure.",
  WHENCE_ERR_REQUEST_INVALID: "Fix the arguments and call again.",
  WHENCE_ERR_AGENT_QUOTA:
    "Do not try again today. Show the person the claim URL (`whence claim` prints it): claimed agents don't have this limit.",
  WHENCE_ERR_RATE_LIMITED: "Wait that long before the next call.",
};

/** Formats an error as a tool's result: what happened, its code, and what to do. */
export function toolErrorText(error: unknown, tool = "run_rca"): string {
  if (!(error instanceof WhenceError)) {
    return `${tool} failed: ${error instanceof Error ? error.message : String(error)}`;
  }
  const wait =
    error instanceof ServiceRefusal && error.retryAfterSeconds !== null
      ? ` Try again in ${error.retryAfterSeconds} seconds.`
      : "";
  const todo = advice[error.code] ?? "Tell the person.";
  return `${error.message} [${error.code}].${wait} ${todo}`;
}
