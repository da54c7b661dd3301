import { z } from "zod";
import { VendorFailure, type VendorFailureReason } from "../http/vendor-failure.ts";

/** https://docs.slack.dev/apis/web-api/#evaluating-responses */
export const refusalSchema = z.object({
  ok: z.literal(false),
  /** A short name, which may be shown. */
  error: z.string().regex(/^\w{1,80}$/),
  /** The scope that the token lacks. */
  needed: z
    .string()
    .regex(/^[\w:.,]{1,200}$/)
    .nullish()
    .catch(null),
});
export type Refusal = z.infer<typeof refusalSchema>;

/**
 * The errors that any method may return, and those of the methods used here.
 * https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
const names = {
  unauthorized: [
    "invalid_auth",
    "not_authed",
    "account_inactive",
    "token_revoked",
    "token_expired",
    "user_removed_from_team",
    "team_disabled",
    "invalid_app_id",
  ],
  forbidden: [
    "missing_scope",
    "no_permission",
    "not_allowed_token_type",
    "access_denied",
    "accesslimited",
    "ekm_access_denied",
    "restricted_action",
    "restricted_action_thread_locked",
    "team_access_not_granted",
    "restricted_action_read_only_channel",
    "restricted_action_thread_only_channel",
    "org_login_required",
    "restricted_action_non_threadable_channel",
    "forbidden_team",
  ],
  "not-found": [
    "not_in_channel",
    "channel_not_found",
    "is_archived",
    "thread_not_found",
    "message_not_found",
    "cant_update_message",
    "edit_window_closed",
  ],
  "rate-limited": ["ratelimited", "rate_limited", "message_limit_exceeded"],
  unavailable: ["internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"],
} as const satisfies Partial<Record<VendorFailureReason, readonly string[]>>;

const reasons = new Map<string, keyof typeof names>(
  (["unauthorized", "forbidden", "not-found", "rate-limited", "unavailable"] as const).flatMap((reason) =>
    names[reason].map((name) => [name, reason] as const),
  ),
);

interface Refused {
  readonly method: string;
  /** The name of the token, as people know it. */
  readonly credential: string;
}

/** Slack refused to call a method. */
export class SlackRefusal extends VendorFailure {
  /** In Slack's words: `channel_not_found`. */
  readonly error: string;

  constructor(refusal: Refusal, refused: Refused) {
    const reason = reasons.get(refusal.error) ?? "unexpected-answer";
    super(reason, `Slack refused ${refused.method} (${refusal.error})${adviceOn(refusal, refused)}`);
    this.name = "SlackRefusal";
    this.error = refusal.error;
  }
}

function adviceOn({ error, needed }: Refusal, { credential }: Refused): string {
  if (error === "not_in_channel" || error === "channel_not_found") return ": invite the app to the channel";
  if (error === "missing_scope" && needed) {
    return `: the ${credential} lacks ${needed}. Update the app's manifest, install the app again, and enter its token`;
  }
  return reasons.get(error) === "unauthorized" ? `: enter a valid ${credential}` : "";
}
