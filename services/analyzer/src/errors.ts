import { type DefinedErrors, defineErrors, type ErrorTable } from "@whence/protocol";
import { buildErrors } from "./build-errors.ts";
import { lifecycleErrors } from "./lifecycle-errors.ts";

const table = {
  WHENCE_ERR_KEY_UNKNOWN: { status: 401, message: "the API key is unknown: check X-API-Key" },
  WHENCE_ERR_KEY_REVOKED: { status: 401, message: "the API key was revoked: use another, or register again" },
  WHENCE_ERR_KEY_EXPIRED: {
    status: 401,
    message: "the API key expired with its unclaimed agent, 3 days after registration: register again",
  },
  WHENCE_ERR_WEBHOOK_REFUSED: {
    status: 401,
    message: "the webhook was refused: check its address, its signature, and its time",
  },
  WHENCE_ERR_NOT_SIGNED_IN: { status: 401, message: "you are not signed in: sign in at %s/login" },
  WHENCE_ERR_NO_CREDENTIALS: { status: 401, message: "neither an X-API-Key header nor a session: send one of them" },
  WHENCE_ERR_OPERATOR_TOKEN: {
    status: 401,
    message: "this needs the operator token: send Authorization: Bearer with what whence-server operator-token prints",
  },
  WHENCE_ERR_KEY_SCOPE: {
    status: 403,
    message:
      "this needs an API key with the scope %s or full, and this one has %s: an owner can make one under Settings → API keys",
  },
  WHENCE_ERR_AGENT_UNCONFIRMED: {
    status: 403,
    message:
      "the member who was responsible for this agent has left its organization: an owner can confirm the agent under Settings → Agents",
  },
  WHENCE_ERR_OWNER_ONLY: { status: 403, message: "only an owner of the organization may do this" },
  WHENCE_ERR_PASSWORD_SIGN_IN_OFF: {
    status: 403,
    message: "members of %s don't sign in with a password: choose %s on the sign-in page",
  },
  WHENCE_ERR_PASSWORDS_NEEDED: {
    status: 409,
    message:
      "no owner of %s has signed in with the service's OpenID provider, so no one could sign in without a password: sign in with it first",
  },
  WHENCE_ERR_AGENT_REGISTRATION_OFF: {
    status: 403,
    message: "agents may not register on this service: ask an owner for an API key",
  },
  WHENCE_ERR_ORIGIN_REFUSED: { status: 403, message: "the request comes from a page of %s: open the service at %s" },
  WHENCE_ERR_ROUTE_UNKNOWN: { status: 404, message: "there is no %s %s" },
  ...buildErrors,
  WHENCE_ERR_INCIDENT_UNKNOWN: { status: 404, message: "no incident %s that this key or session may see" },
  WHENCE_ERR_SERVICE_UNKNOWN: { status: 404, message: "no telemetry of a service %s is kept%s: check its name" },
  WHENCE_ERR_SHARE_UNKNOWN: {
    status: 404,
    message: "this link leads to no report: it has expired, was revoked, or is incomplete",
  },
  WHENCE_ERR_SHARES_FULL: { status: 409, message: "%s has %s links to reports, as many as it may have: revoke one" },
  WHENCE_ERR_WATCH_UNKNOWN: { status: 404, message: "no places of incident %s are being watched" },
  WHENCE_ERR_WATCH_NO_PLACES: {
    status: 409,
    message:
      "the report of incident %s names no place that a running process could watch: it takes a telemetry event with a release, and a report that has read the code",
  },
  WHENCE_ERR_WATCH_RUNNING: {
    status: 409,
    message: "release %s of %s is being watched until %s for incident %s: stop that watch, or wait",
  },
  WHENCE_ERR_VIEW_UNKNOWN: {
    status: 404,
    message: "you have saved no view %s: one that others share is theirs to change",
  },
  WHENCE_ERR_VIEWS_FULL: { status: 409, message: "you have saved %s views, as many as a member may have: delete one" },
  WHENCE_ERR_OCCURRENCE_UNKNOWN: {
    status: 404,
    message: "incident %s has no event %s: it may have expired, or belong to another failure",
  },
  WHENCE_ERR_JOINED_FAILURE_UNKNOWN: {
    status: 404,
    message: "failure %s has not joined incident %s, or no longer belongs to it: reload the incident",
  },
  WHENCE_ERR_KEY_NOT_FOUND: { status: 404, message: "the organization has no API key %s in use" },
  WHENCE_ERR_AGENT_NOT_FOUND: { status: 404, message: "the organization has no agent %s in use" },
  WHENCE_ERR_INTEGRATION_UNKNOWN: { status: 404, message: "there is no kind of integration called %s" },
  WHENCE_ERR_INTEGRATION_NOT_OFFERED: { status: 404, message: "this service can't connect %s yet" },
  WHENCE_ERR_ALERT_SOURCE_UNKNOWN: { status: 404, message: "the organization has no alert source %s" },
  WHENCE_ERR_MONITOR_UNKNOWN: { status: 404, message: "the organization has no monitor %s" },
  WHENCE_ERR_CHECK_IN_UNKNOWN: {
    status: 404,
    message: "no monitor takes check-ins as %s with this key: copy the address and the key from Settings → Monitors",
  },
  WHENCE_ERR_MODEL_NOT_CONNECTED: {
    status: 404,
    message:
      "the organization has no language model of its own: an owner can connect one under Settings → Language model",
  },
  WHENCE_ERR_MODEL_RUN_UNKNOWN: {
    status: 404,
    message: "the organization has no investigation %s with a language model",
  },
  WHENCE_ERR_INTEGRATION_NOT_CONNECTED: { status: 404, message: "the integration %s is not connected" },
  WHENCE_ERR_NOTIFICATION_RULE_UNKNOWN: { status: 404, message: "the organization has no notification rule %s" },
  WHENCE_ERR_SECOND_FACTOR_UNKNOWN: {
    status: 404,
    message: "no account with two-factor sign-in has the address %s: check how it is written",
  },
  WHENCE_ERR_DEAD_LETTER_UNKNOWN: {
    status: 404,
    message: "there is no dead letter %s on %s: it may have been published again or discarded",
  },
  WHENCE_ERR_NOT_AN_AGENT: { status: 404, message: "not an agent's key: it belongs to an organization" },
  WHENCE_ERR_CLAIM_UNKNOWN: { status: 404, message: "no agent has this claim token" },
  WHENCE_ERR_CLAIM_TAKEN: { status: 409, message: "the agent was claimed by another organization" },
  WHENCE_ERR_REPORT_MISSING: {
    status: 409,
    message: "incident %s has no report to judge yet: wait until its investigation has finished",
  },
  WHENCE_ERR_PATCH_MISSING: {
    status: 409,
    message: "the report of %s has no patch to open: fix the code by hand",
  },
  WHENCE_ERR_CODE_HOST_NOT_CONNECTED: {
    status: 409,
    message:
      "no connected code host has the code of %s: an owner can connect GitHub or GitLab under Settings → Integrations, and assign its repository there",
  },
  WHENCE_ERR_INTEGRATION_NAME_TAKEN: {
    status: 409,
    message: '%s has another connection that is called "%s": choose another name',
  },
  WHENCE_ERR_INTEGRATION_TOO_MANY: {
    status: 409,
    message: "%s has %d connections, the most that an organization can have: disconnect one that you no longer need",
  },
  WHENCE_ERR_PULL_REQUEST_REFUSED: { status: 409, message: "no pull request was opened: %s" },
  WHENCE_ERR_CODE_HOST_FAILED: { status: 409, message: "no pull request was opened: %s. Try again" },
  WHENCE_ERR_PATCH_CODE_DIFFERS: {
    status: 409,
    message:
      "%s in %s is not the code that the patch was made for, and the patch doesn't apply to it: check which repository is assigned to the service",
  },
  WHENCE_ERR_PATCH_OUTDATED: {
    status: 409,
    message:
      "%s has changed on %s since %s, and the patch no longer applies: apply it to that release, or make the change by hand",
  },
  WHENCE_ERR_PATCH_FILE_MISSING: {
    status: 409,
    message: "%s has no file that is clearly %s on %s: check which repository is assigned to the service",
  },
  WHENCE_ERR_PATCH_FILE_NOT_TEXT: {
    status: 409,
    message: "%s on %s is not UTF-8 text of at most %d bytes: make the change by hand",
  },
  WHENCE_ERR_PATCH_LINE_ENDINGS: {
    status: 409,
    message: "%s on %s ends its lines with CRLF, and the patch was made for LF: make the change by hand",
  },
  WHENCE_ERR_BRANCH_TAKEN: {
    status: 409,
    message: "%s has a branch %s with other changes and no pull request: delete the branch, then try again",
  },
  ...lifecycleErrors,
  WHENCE_ERR_MEMBER_UNKNOWN: {
    status: 409,
    message: "the organization has no member %s: name one by their id or email address",
  },
  WHENCE_ERR_KEY_OWNS_NO_INCIDENT: {
    status: 409,
    message: "an organization's API key can't own an incident: hand it over to a member instead",
  },
  WHENCE_ERR_INCIDENT_WITHOUT_RELEASE: {
    status: 409,
    message: "no event of %s names a release, so it can't be resolved in the next one: resolve it now instead",
  },
  WHENCE_ERR_INCIDENT_WITHOUT_FAILURE: {
    status: 409,
    message: "%s has no failure in telemetry whose events could end the mute: mute it for a time instead",
  },
  WHENCE_ERR_MUTE_IN_THE_PAST: {
    status: 409,
    message: "the mute would end at %s, which has passed: choose a later time",
  },
  WHENCE_ERR_VERDICT_LIMIT: {
    status: 409,
    message: "the verdict on %s was changed 20 times by the same author: the last one stays",
  },
  WHENCE_ERR_INSTRUCTIONS_CHANGED: {
    status: 409,
    message: "the instructions were changed since version %d: read them again, then change them",
  },
  WHENCE_ERR_INTEGRATION_BY_AUTHORIZATION: {
    status: 409,
    message: "%s is connected by authorization, not by entering a key",
  },
  WHENCE_ERR_INTEGRATION_BY_KEY: {
    status: 409,
    message: "%s is connected by entering a key, not by authorization",
  },
  WHENCE_ERR_AUTHORIZATION_UNCONFIGURED: {
    status: 409,
    message: "%s can't be connected by authorization: the operator hasn't configured an application for it",
  },
  WHENCE_ERR_AUTHORIZATION_DENIED: {
    status: 409,
    message: "the authorization at %s was denied: start again, and allow the access that is asked for",
  },
  WHENCE_ERR_AUTHORIZATION_REFUSED: { status: 409, message: "%s was not connected: %s" },
  WHENCE_ERR_AUTHORIZATION_UNKNOWN: {
    status: 409,
    message: "this authorization of %s was not started in this session, or was used already: start again",
  },
  WHENCE_ERR_AUTHORIZATION_EXPIRED: {
    status: 410,
    message: "the authorization of %s took too long and expired: start again",
  },
  WHENCE_ERR_REPOSITORIES_UNKNOWN: {
    status: 409,
    message: "%s has no repositories that could be assigned to services",
  },
  WHENCE_ERR_IDENTITY_PROVIDER_UNAVAILABLE: {
    status: 409,
    message: "%s can't be reached: try again in a minute, or sign in another way",
  },
  WHENCE_ERR_INTEGRATION_REFUSED: { status: 409, message: "%s. Nothing was stored" },
  WHENCE_ERR_INTEGRATION_CHECK_FAILED: { status: 409, message: "%s" },
  WHENCE_ERR_MODEL_REFUSED: { status: 409, message: "%s. Nothing was stored" },
  WHENCE_ERR_MODEL_CHECK_FAILED: { status: 409, message: "%s" },
  WHENCE_ERR_MODEL_BUDGET_USED_UP: {
    status: 409,
    message: "today's %s for the language model are used up: check it after midnight UTC, or raise its budget",
  },
  WHENCE_ERR_LAST_OWNER: {
    status: 409,
    message: "you are the only owner of %s: make another member an owner, then delete your account",
  },
  WHENCE_ERR_INPUT_REMOVED: {
    status: 409,
    message: "the text and files of %s have expired, so it can't be investigated again: send them as a new analysis",
  },
  WHENCE_ERR_INCIDENT_UNDER_WAY: {
    status: 409,
    message: "the investigation of %s is still running: wait for its report, then try again",
  },
  WHENCE_ERR_NOTIFICATION_RULES_FULL: {
    status: 409,
    message: "the organization has %d notification rules, and may have no more: delete one",
  },
  WHENCE_ERR_ALERT_SOURCE_SECRET_MADE: {
    status: 409,
    message: "the secret of a source of %s is made here: an owner can replace it under Settings → Triggers → Setup",
  },
  WHENCE_ERR_ALERT_SOURCE_SECRET_ENTERED: {
    status: 409,
    message: "the secret of a source of %s is made by its sender: make another one there, and enter it here",
  },
  WHENCE_ERR_ALERT_SOURCE_REFUSED: { status: 409, message: "%s. Nothing was stored" },
  WHENCE_ERR_ALERT_SOURCES_FULL: {
    status: 409,
    message: "the organization has %d alert sources, and may have no more: remove one",
  },
  WHENCE_ERR_MONITORS_FULL: {
    status: 409,
    message: "the organization has %d monitors, and may have no more: delete one",
  },
  WHENCE_ERR_MONITOR_BUSY: {
    status: 409,
    message: "the monitor %s was checked at the same moment: try again",
  },
  WHENCE_ERR_MONITOR_TAKES_NO_CHECK_INS: {
    status: 409,
    message: "the monitor %s takes no check-ins, so it has no key",
  },
  WHENCE_ERR_NOTIFICATION_NO_WEBHOOK: {
    status: 409,
    message: "the notification rule %s has no webhook whose secret could be replaced",
  },
  WHENCE_ERR_EMAIL_TAKEN: { status: 409, message: "there is an account with this email address already: use another" },
  WHENCE_ERR_CLAIM_EXPIRED: { status: 410, message: "the agent expired unclaimed: let it register again" },
  WHENCE_ERR_SETUP_CLOSED: {
    status: 410,
    message: "the set-up link was already used or is from another service: sign in, or ask an owner",
  },
  WHENCE_ERR_BODY_TOO_LARGE: { status: 413, message: "the body is larger than %d bytes: send less" },
  WHENCE_ERR_AGENT_BODY_TOO_LARGE: {
    status: 413,
    message: "the body is larger than the %d bytes that an unclaimed agent may send: claim it, or send less",
  },
  WHENCE_ERR_AGENT_INPUT_QUOTA: {
    status: 413,
    message:
      "the texts and files of an unclaimed agent may take %d bytes, and there is no room for these: claim the agent, or send less",
  },
  WHENCE_ERR_AGENTS_INPUT_QUOTA: {
    status: 413,
    message:
      "unclaimed agents have used up the %d bytes that this service keeps for them: claim the agent, or try again later",
  },
  WHENCE_ERR_KEY_INPUT_QUOTA: {
    status: 413,
    message:
      "the texts and files sent with this API key may take %d bytes, and there is no room for these: delete incidents, send less, or use another key",
  },
  WHENCE_ERR_ORGANIZATION_INPUT_QUOTA: {
    status: 413,
    message:
      "the texts and files of the organization's analyses may take %d bytes, and there is no room for these: delete incidents, or have an owner raise the limit",
  },
  WHENCE_ERR_RATE_LIMITED: { status: 429, message: "too many requests: try again in %d seconds" },
  WHENCE_ERR_CODE_USED: {
    status: 401,
    message: "this code was used already: wait for the next one of your authenticator app",
  },
  WHENCE_ERR_SIGN_IN_DELAYED: {
    status: 429,
    message: "too many attempts to sign in with this address: try again in %d seconds, or set a new password",
  },
  WHENCE_ERR_AGENT_QUOTA: {
    status: 429,
    message: "an unclaimed agent has %d analyses a day, and all are used up: claim it, or try again in %d seconds",
  },
  WHENCE_ERR_STREAMS_OPEN: {
    status: 429,
    message: "%d event streams are open, and there may be no more: close one, or read the incident instead",
  },
  WHENCE_ERR_SOURCE_FILE_TOO_LARGE: {
    status: 413,
    message: "a source file may have %d bytes, and one of these has more: leave it out, with its path",
  },
  WHENCE_ERR_ARTIFACT_INVALID: {
    status: 400,
    message: "the upload of built files can't be read: %s",
  },
  WHENCE_ERR_ORGANIZATION_SOURCE_QUOTA: {
    status: 413,
    message:
      "the sources of the organization's releases may take %d bytes with the lists of them, and there is no room for these: have an owner remove releases that no longer run",
  },
  WHENCE_ERR_RELEASE_NOT_REPORTED: {
    status: 404,
    message: "%s %s wasn't reported as live: see GET /api/releases for what was",
  },
  WHENCE_ERR_SOURCES_NOT_FOUND: {
    status: 404,
    message: "no sources of %s %s are stored: see GET /api/sources for those that are",
  },
  WHENCE_ERR_BODIES_UNDER_WAY: {
    status: 429,
    message: "your other requests are still being read, and this one would exceed the limit: try again in %d seconds",
  },
  WHENCE_ERR_ASSEMBLIES_WAITING: {
    status: 503,
    message: "other bundles of built files are being assembled: try again in %d seconds",
  },
  WHENCE_ERR_AGENT_BUSY: {
    status: 429,
    message: "an unclaimed agent may have %d analyses running at once: claim it, or try again in %d seconds",
  },
  WHENCE_ERR_PREVIEW_UNAVAILABLE: {
    status: 503,
    message: "the text could not be previewed in time: try again, or send it without a preview",
  },
  WHENCE_ERR_BODY_UNREAD: { status: 503, message: "the body was not read in time: send it again" },
  WHENCE_ERR_DISK_RESERVED: {
    status: 507,
    message:
      "the service's disk is nearly full, and what is left is kept for telemetry: try again in %d seconds, or have an operator free space",
  },
  WHENCE_ERR_INTERNAL: { status: 500, message: "the service failed on this request, and recorded why" },
  WHENCE_ERR_REPORT_INVALID: {
    status: 500,
    message: "the engine wrote a report that can't be stored (%s): report this as a bug of Whence",
  },
  WHENCE_ERR_INVESTIGATION_FAILED: {
    status: 500,
    message: 'all %d attempts to investigate failed: the last error was "%s"',
  },
  WHENCE_ERR_INVESTIGATION_TIMEOUT: {
    status: 500,
    message: "the investigation used more than %d seconds of processor time and was stopped: send less",
  },
  WHENCE_ERR_EVENT_MISSING: { status: 500, message: "event %s is not in the event store: it may have expired" },
  WHENCE_ERR_BACKUP_FOREIGN: { status: 500, message: "the file is not a backup: %s. Nothing was restored" },
  WHENCE_ERR_BACKUP_NEWER: {
    status: 500,
    message: "the backup has format %d and this release reads %d: restore it with the release that wrote it",
  },
  WHENCE_ERR_BACKUP_TRUNCATED: {
    status: 500,
    message: "the backup was cut off before its last line: use a whole one. Nothing was restored",
  },
  WHENCE_ERR_BACKUP_CORRUPT: {
    status: 500,
    message: "line %d of the backup is damaged: %s. Use another one; nothing was restored",
  },
} as const satisfies ErrorTable;

/** Every error that the analyzer returns or records. */
export const analyzerErrors: DefinedErrors<typeof table> = defineErrors(table);
