/** One fact of the interface specification that a test can prove. */
export interface Requirement {
  /** Cited by a test as `// requirement: <id>` on the line above its `it(`. */
  readonly id: string;
  /** The section of the specification it comes from. */
  readonly source: string;
  /** The requirement in our words. */
  readonly behavior: string;
  /** The part of the plan that delivers it. */
  readonly part: number;
}

/** Every testable row of the interface specification. `requirements.test.ts` compares it with the tests' citations. */
export const requirements: readonly Requirement[] = [
  ...from("What the service does", 1, {
    "service.input-any-error-text": "an error message, a stack trace, an alert text or a description is analysed",
    "service.input-with-files": "source files given with the error take part in its analysis",
    "service.report-analysis": "an incident carries a detailed analysis",
    "service.report-root-cause": "an incident carries a root cause and a summary of it",
    "service.report-solutions": "an incident carries short-term and long-term solutions",
    "service.report-evidence": "a report carries evidence, and each piece names its source",
    "service.report-timeline": "a report carries a timeline",
    "service.report-impact": "a report carries an impact assessment",
    "service.report-confidence": "a report carries a confidence score",
    "service.background-analysis": "starting an analysis answers with an incident id before the analysis has run",
    "service.four-public-operations": "exactly four operations are public: analyze, register, claim, status",
    "service.agent-triggers-analysis": "an agent that registered itself starts analyses with its own key",
    "service.trigger-telemetry": "a failure reported by a telemetry client starts an analysis",
  }),
  ...from("What the service does", 8, {
    "service.integrations-queried":
      "an analysis queries the organization's integrations, and what they say is in the report",
  }),
  ...from("What the service does: integration table", 7, {
    "integration.cloud-monitoring-inputs": "access key id, secret access key, region",
    "integration.uptime-inputs": "API token",
    "integration.network-inputs": "API key, account email",
    "integration.metrics-variant-1-inputs": "API key, application key, region",
    "integration.metrics-variant-1-regions": "the region is one of us1, us3, us5, eu, ap1",
    "integration.metrics-variant-2-inputs": "user API key, region",
    "integration.metrics-variant-2-regions": "the region is US or EU",
    "integration.sandbox-inputs": "API key",
    "integration.search-cluster-inputs": "Kibana-style URL, API key",
    "integration.dashboard-inputs": "instance URL, service-account token",
    "integration.kubernetes-inputs": "kubeconfig content, uploaded or pasted",
    "integration.central-log-inputs": "service key",
    "integration.incident-management-inputs": "API key",
    "integration.log-query-inputs": "API key, instance URL",
    "integration.error-tracker-token-inputs": "bearer token and organization slug",
    "integration.observability-inputs": "instance URL, API key",
    "integration.hosting-token-inputs": "API token",
  }),
  ...from("What the service does: integration table", 8, {
    "integration.error-tracker-app": "an error tracker connects by an installed marketplace app (OAuth)",
    "integration.hosting-app": "a hosting platform connects by an installed marketplace app",
    "integration.code-hosting-oauth": "two kinds of code hosting connect by OAuth",
    "integration.issue-tracker-oauth": "an issue tracker connects by OAuth",
  }),

  ...from("Resources: AnalyzeMCPIncidentRequest", 1, {
    "analyze.error-log-required": "a body without error_log is refused",
    "analyze.error-log-string": "error_log that is no string is refused",
    "analyze.files-optional": "files may be absent",
    "analyze.files-null": "files may be null",
    "analyze.files-array": "files that is no array of FileContent is refused",
    "analyze.organization-from-key": "an organization named in the body changes nothing: the key decides",
  }),
  ...from("Resources: FileContent", 1, {
    "analyze.file-name-required": "a file without a name, or with one that is no string, is refused",
    "analyze.file-content-required": "a file without content, or with one that is no string, is refused",
  }),
  ...from("Resources: Register request", 1, {
    "register.source-required": "a body without source is refused",
    "register.source-string": "source that is no string is refused",
    "register.source-open": "any framework name is taken: there is no enumeration",
  }),
  ...from("Resources: Claim request", 1, {
    "claim.token-required": "a body without claim_token is refused",
    "claim.token-string": "claim_token that is no string is refused",
  }),
  ...from("Resources: ValidationError", 1, {
    "validation.detail-list": "detail is a list of ValidationError",
    "validation.loc": "each has loc, a list of names and indexes",
    "validation.msg": "each has msg, a string",
    "validation.type": "each has type, a string",
    "validation.input-optional": "input may be there",
    "validation.ctx-optional": "ctx may be there, an object",
  }),
  ...from("Resources: Agent", 1, {
    "agent.registered-unclaimed": "a registered agent is unclaimed",
    "agent.expires-after-3-days": "an unclaimed agent is alive just before three days and expired from then on",
    "agent.claimed-has-organization": "a claimed agent belongs to the organization that claimed it",
    "agent.claimed-never-expires": "a claimed agent still works after three days and any time later",
    "agent.credentials": "registration yields an API key and a claim token",
    "agent.claim-url": "the claim URL is the application's /login with the token as its claim parameter",
    "agent.status-time-left": "the status says how much time is left before expiry",
  }),
  // Delivered with the integrations: before them there is nothing to inherit.
  ...from("Resources: Agent", 8, {
    "agent.inherits-integrations": "a claimed agent's analyses use the organization's integrations",
  }),
  ...from("Resources: Incident", 1, {
    "incident.created-by-analysis": "each analysis request makes one incident record",
    "incident.identified": "the record is found by the id that the start answered with",
  }),
  ...from("Resources: Integration issue record", 8, {
    "issue-record.one-per-issue": "each processed issue has a record: PROCESSING, COMPLETED or FAILED",
  }),

  ...from("States: Agent", 1, {
    "agent.state-register": "nothing → unclaimed by a valid register body; credentials and a claim URL come with it",
    "agent.state-claim": "unclaimed → claimed by a valid claim token; the organization is set; it never expires",
    "agent.state-expire": "unclaimed → expired three days after registration; its key no longer works",
  }),
  ...from("States: Agent", 6, {
    "agent.client-registers-again": "a client whose key has expired notices on its next call and registers again",
  }),
  ...from("States: Issue-tracker integration record", 8, {
    "issue-record.state-processing": "nothing → PROCESSING on assignment or mention; an in-progress reaction is added",
    "issue-record.placeholder-for-mention": "a mention creates a placeholder record",
    "issue-record.not-duplicate": "a duplicate delivery starts nothing",
    "issue-record.not-own-comment": "a comment of the bot itself starts nothing",
    "issue-record.state-completed": "PROCESSING → COMPLETED; findings are posted; success reaction",
    "issue-record.state-failed": "PROCESSING → FAILED; a failure comment is posted; failure reaction",
    "issue-record.repeat-references": "a repeated request names the existing analysis instead of running again",
  }),

  ...from("Endpoints", 1, {
    "endpoints.422-everywhere": "every public operation answers bad input with 422 and an HTTPValidationError",
    "endpoints.json": "bodies of requests and answers are JSON",
  }),
  ...from("Endpoints: POST /api/mcp/analyze", 1, {
    "analyze.operation-id": "its operation id is analyze_incident_mcp_api_mcp_analyze_post",
    "analyze.tag": "its tag is mcp",
    "analyze.key-required": "X-API-Key is required",
    "analyze.returns-at-once": "it answers 200 with the incident id while the incident is still queued",
    "analyze.no-integrations": "its analysis uses the request alone, no integration",
    "analyze.files-analysed": "code in the files is what the analysis looks at: it points into them",
  }),
  ...from("Endpoints: POST /api/agents/register", 1, {
    "register.no-key": "it needs no API key",
    "register.200": "it answers 200 with the key and the claim token",
  }),
  ...from("Endpoints: POST /api/agents/claim", 1, {
    "claim.no-key": "it uses no API key",
    "claim.200": "it answers 200 and associates the agent with an organization",
  }),
  ...from("Endpoints: GET /api/agents/status", 1, {
    "status.key": "the agent is the one whose key is in X-API-Key",
    "status.200": "it answers 200 with the agent's state, without body or query parameters",
  }),
  ...from("Endpoints: IDE tool run_rca", 6, {
    "run-rca.one-tool": "the MCP server over stdio has one tool, run_rca",
    "run-rca.key-from-environment": "the organization's key comes from an environment variable",
    "run-rca.error-required": "error is required, a string",
    "run-rca.files-optional": "files is optional, each a name and content",
    "run-rca.files-20": "20 files are taken, 21 are refused",
    "run-rca.url": "the result is the incident's URL",
  }),

  ...from("Authentication", 1, {
    "auth.header": "the key is read from the header X-API-Key",
    "auth.openapi-no-global-security": "the OpenAPI description declares no global security requirement",
    "auth.openapi-header-required": "the analysis operation declares X-API-Key as a required header parameter",
    "auth.organization-from-key": "what a key may see is decided by the key alone",
    "auth.register-claim-without-key": "register and claim work without a key",
    "auth.unclaimed-key-stops": "an unclaimed agent's key is refused after three days",
    "auth.revoked-key-refused": "a revoked or expired key is refused, and the answer says which",
    "auth.claim-links-after-login": "opening the claim URL and logging in links the agent to the user's organization",
  }),
  ...from("Authentication", 6, {
    "auth.agent-credentials-file": "an agent keeps its key in a per-user directory, readable by its owner alone",
    "auth.agent-registers-again": "a revoked or expired key makes the client register again on its next call",
  }),
  ...from("Authentication", 7, {
    "auth.organization-page-keys": "organization keys are obtained in the web application's organization page",
    "auth.integration-credentials-encrypted": "integration credentials are encrypted at rest",
    "auth.integration-by-key-or-upload": "integrations are connected by API key, token or uploaded configuration",
    "auth.instructions-owner-edits": "an owner can change the custom instructions, a member cannot",
    "auth.instructions-member-reads": "every member can read the custom instructions",
  }),
  ...from("Authentication", 8, {
    "auth.integration-oauth": "integrations are authorized by OAuth where the table says so",
  }),

  ...from("Events: triggers", 1, {
    "trigger.analyze-operation": "POST /api/mcp/analyze starts an analysis and returns the incident id",
  }),
  ...from("Events: triggers", 6, {
    "trigger.run-rca": "run_rca starts an analysis and returns the incident's URL",
  }),
  ...from("Events: triggers", 7, {
    "trigger.dashboard-text": "text pasted into the dashboard is analysed",
  }),
  ...from("Events: triggers", 8, {
    "trigger.chat-mention": "a mention in a chat thread is acknowledged, analysed, answered in that thread with a link",
    "trigger.issue-assigned": "an issue assigned to the bot, or a mention in a comment, starts an analysis",
    "trigger.issue-follow-up": "a follow-up mention is answered from the completed analysis",
    "trigger.error-tracker-alert": "an error tracker's alert starts an analysis",
    "trigger.deployment-event": "a hosting platform's deployment event starts an analysis",
  }),
  ...from("Events: client configuration", 1, {
    "telemetry.option-api-key": "apiKey is required and has no default",
    "telemetry.option-service-default": "service defaults to default",
    "telemetry.option-env-default": "env defaults to PROD",
    "telemetry.option-enabled-default": "enabled defaults to true",
    "telemetry.option-enabled-false": "enabled: false installs nothing and sends nothing",
  }),
  ...from("Events: client configuration", 3, {
    "telemetry.node-18": "the Node client runs on Node.js 18 and newer",
  }),
  ...from("Events: client configuration", 9, {
    "telemetry.python-3.10": "the Python client runs on Python 3.10 and newer",
    "telemetry.python-options": "the Python client has api_key, service, env, enabled with the same defaults",
  }),
  ...from("Events: rules", 1, {
    "telemetry.only-prod-triggers": "only env PROD, exactly, opens incidents",
    "telemetry.other-env-received": "events of other environments are accepted and stored, and open nothing",
    "telemetry.uncaught-exceptions": "an uncaught exception is captured",
    "telemetry.cause-chain": "an exception carries its whole cause chain",
    "telemetry.exception-breadcrumbs": "an exception carries the last 100 breadcrumbs",
    "telemetry.unhandled-rejections": "an unhandled promise rejection is captured (Node)",
    "telemetry.http-breadcrumbs": "an outgoing HTTP request is a breadcrumb: method, URL, status code, duration",
    "telemetry.heartbeat": "a heartbeat is sent every 60 seconds",
    "telemetry.batches": "events are sent in batches every 5 seconds (Node)",
    "telemetry.request-context": "a route's error carries its request: method, path, headers",
    "telemetry.redaction-exact-names": "a header value is replaced when its name is exactly one of the thirteen",
    "telemetry.redaction-case-insensitive": "a redacted name matches in any case",
    "telemetry.redaction-not-substring": "a name that merely contains a redacted one keeps its value",
    "telemetry.free-text-unredacted": "messages, stacks, URLs, query strings and SQL are left as they are",
  }),
  ...from("Events: rules", 3, {
    "telemetry.log-records": "error and critical log records are captured",
    "telemetry.https": "the client sends over HTTPS",
  }),
  ...from("Events: rules", 9, {
    "telemetry.python-thread-crash": "a thread's crash is captured (Python)",
    "telemetry.python-async-task": "an async task's exception is captured (Python)",
    "telemetry.python-query-breadcrumbs": "a database query is a breadcrumb (Python)",
    "telemetry.python-locals-redacted": "traceback-local variables are redacted by the same names (Python)",
  }),

  ...from("Errors", 1, {
    "errors.422-missing-error-log": "a missing error_log is a 422 that points at it",
    "errors.422-file-without-name": "a files item without name is a 422 that points at it",
    "errors.422-file-without-content": "a files item without content is a 422 that points at it",
    "errors.422-missing-key-header": "a missing X-API-Key on the analysis operation is a 422 that points at the header",
    "errors.422-source-length": "a source outside 1 to 50 characters is a 422 that points at it",
    "errors.200-on-success": "all four operations answer success with 200",
  }),
  ...from("Errors", 8, {
    "errors.issue-record-failed": "a failed analysis marks its issue record FAILED and posts a failure comment",
  }),

  ...from("Limits", 1, {
    "limits.source-1-to-50": "source: 0 and 51 characters are refused, 1 and 50 are taken",
    "limits.unclaimed-3-days": "the lifetime of an unclaimed agent is 3 days",
    "limits.breadcrumbs-100": "the newest 100 breadcrumbs are kept when the 101st arrives",
    "limits.heartbeat-60-s": "the heartbeat interval is 60 seconds",
    "limits.flush-5-s": "the flush interval of the Node client is 5 seconds",
  }),
  ...from("Limits", 6, {
    "limits.run-rca-20-files": "a run_rca call takes at most 20 files",
  }),

  ...from("Versioning", 1, {
    "openapi.3.1.0": "the interface description is OpenAPI 3.1.0",
    "openapi.version-1.0.0": "its API description version is 1.0.0",
    "openapi.unversioned-paths": "paths begin with /api/ and carry no version",
  }),
];

function from(source: string, part: number, rows: Readonly<Record<string, string>>): Requirement[] {
  return Object.entries(rows).map(([id, behavior]) => ({ id, source, behavior, part }));
}
