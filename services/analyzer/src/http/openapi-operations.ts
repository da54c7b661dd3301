import type { SchemaName } from "./openapi-schemas.ts";

/** One row of the interface: what the document says of an operation. */
export interface Operation {
  readonly path: string;
  readonly method: "get" | "post" | "put" | "delete";
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly key?: "required" | "or session";
  readonly session?: "member" | "owner";
  readonly parameters?: readonly string[];
  /** Names of optional query parameters. */
  readonly query?: readonly string[];
  readonly body?: SchemaName;
  readonly answer?: SchemaName;
  readonly success?: number;
  /** Refusals beside 422. */
  readonly refusals: Readonly<Record<number, string>>;
}

const noKey = "The key is not known, was revoked or has expired";
const rate = "Too many requests; Retry-After says when to come back";
const tooLarge = "The body is too large";

/** The four documented operations. */
export const publicOperations: readonly Operation[] = [
  {
    path: "/api/mcp/analyze",
    method: "post",
    id: "analyze_incident_mcp_api_mcp_analyze_post",
    tag: "mcp",
    summary: "Start an analysis of an error text, with source files if there are any",
    key: "required",
    body: "AnalyzeMCPIncidentRequest",
    answer: "AnalyzeMCPIncidentResponse",
    refusals: { 401: noKey, 413: tooLarge, 429: rate },
  },
  {
    path: "/api/agents/register",
    method: "post",
    id: "register_agent_api_agents_register_post",
    tag: "agents",
    summary: "Register a new agent, which has 3 days to be claimed",
    body: "RegisterAgentRequest",
    answer: "RegisterAgentResponse",
    refusals: { 413: tooLarge, 429: rate },
  },
  {
    path: "/api/agents/claim",
    method: "post",
    id: "claim_agent_api_agents_claim_post",
    tag: "agents",
    summary: "Claim an agent for the active organization of the signed-in person",
    body: "ClaimAgentRequest",
    answer: "ClaimAgentResponse",
    refusals: {
      401: "Nobody is signed in",
      403: "A browser sent the request from another site's page",
      404: "No agent has this claim token",
      409: "Claimed by another organization",
      410: "The agent expired unclaimed",
      413: tooLarge,
    },
  },
  {
    path: "/api/agents/status",
    method: "get",
    id: "agent_status_api_agents_status_get",
    tag: "agents",
    summary: "The agent whose key is sent, and the time it has left",
    key: "required",
    answer: "AgentStatus",
    refusals: { 401: noKey, 404: "The key is an organization's" },
  },
];

/** The rest: what clients, the application and its pages use. */
export const applicationOperations: readonly Operation[] = [
  {
    path: "/api/telemetry/events",
    method: "post",
    id: "receive_telemetry",
    tag: "telemetry",
    summary: "Store a batch of events; a bad one is rejected by itself",
    key: "required",
    body: "TelemetryBatch",
    success: 202,
    refusals: { 401: noKey, 413: "The batch is too large", 429: rate },
  },
  {
    path: "/api/incidents",
    method: "get",
    id: "list_incidents",
    tag: "incidents",
    summary: "Incidents without their reports, newest first",
    key: "or session",
    query: [
      ...["limit", "before", "service", "env", "status", "severity", "trigger", "fingerprint", "since", "until"],
      "search",
    ],
    answer: "IncidentPage",
    refusals: { 401: noKey },
  },
  {
    path: "/api/incidents/facets",
    method: "get",
    id: "list_incident_facets",
    tag: "incidents",
    summary: "The services and environments that incidents can be listed by",
    key: "or session",
    refusals: { 401: noKey },
  },
  {
    path: "/api/incidents/{id}",
    method: "get",
    id: "get_incident",
    tag: "incidents",
    summary: "An incident with its report",
    key: "or session",
    parameters: ["id"],
    answer: "Incident",
    refusals: { 401: noKey, 404: "No such incident here" },
  },
  {
    path: "/api/incidents/{id}/events",
    method: "get",
    id: "stream_incident",
    tag: "incidents",
    summary: "The steps of the investigation as server-sent events, then the incident",
    key: "or session",
    parameters: ["id"],
    refusals: { 401: noKey, 404: "No such incident here" },
  },
  {
    path: "/api/incidents/{id}/telemetry",
    method: "get",
    id: "get_incident_telemetry",
    tag: "incidents",
    summary: "What the telemetry says around an incident: how often, where, and what else happened",
    key: "or session",
    parameters: ["id"],
    answer: "IncidentTelemetry",
    refusals: { 401: noKey, 404: "No such incident here" },
  },
  {
    path: "/api/incidents/{id}/rerun",
    method: "post",
    id: "rerun_incident",
    tag: "incidents",
    summary: "Investigate an incident that has ended again; its report stays until the next one",
    key: "or session",
    parameters: ["id"],
    answer: "Incident",
    refusals: { 401: noKey, 404: "No such incident here", 409: "It has not ended yet", 429: rate },
  },
  {
    path: "/api/session",
    method: "get",
    id: "get_session",
    tag: "session",
    summary: "Who is signed in, and for which organization",
    session: "member",
    answer: "Session",
    refusals: { 401: "Nobody is signed in" },
  },
  {
    path: "/api/sign-in",
    method: "get",
    id: "get_sign_in",
    tag: "session",
    summary: "How people get in: providers beside email and password, and whether strangers may sign up",
    answer: "SignInOptions",
    refusals: {},
  },
  {
    path: "/api/setup",
    method: "get",
    id: "get_setup",
    tag: "session",
    summary: "Whether the set-up link of this token is still open",
    query: ["token"],
    refusals: { 410: "The link is spent, or not from this service" },
  },
  {
    path: "/api/setup",
    method: "post",
    id: "set_up",
    tag: "session",
    summary: "Make the first owner, and sign them in",
    body: "SetupRequest",
    refusals: {
      403: "A browser sent the request from another site's page",
      409: "There is an account with this email address",
      410: "The link is spent, or not from this service",
      429: rate,
    },
  },
  {
    path: "/api/incidents/{id}/feedback",
    method: "post",
    id: "give_feedback",
    tag: "incidents",
    summary: "Say whether the first candidate of the report is the cause; again to change one's mind",
    key: "or session",
    parameters: ["id"],
    body: "FeedbackRequest",
    answer: "FeedbackList",
    refusals: {
      401: noKey,
      403: "A browser sent the request from another site's page",
      404: "No such incident here",
      409: "It has no report, or the verdict was changed too often",
    },
  },
  {
    path: "/api/accuracy",
    method: "get",
    id: "get_accuracy",
    tag: "organization",
    summary: "How right the reports were, by confidence and by category, as people, agents and predictions judge them",
    key: "or session",
    answer: "Accuracy",
    refusals: { 401: noKey },
  },
  {
    path: "/api/failures",
    method: "get",
    id: "list_failures",
    tag: "incidents",
    summary: "Failures and what was decided about each, also those that became no incident",
    key: "or session",
    query: ["limit"],
    refusals: { 401: noKey },
  },
  {
    path: "/api/deliveries",
    method: "get",
    id: "list_deliveries",
    tag: "telemetry",
    summary: "For each process, what it sent by sequence number and what never came, with the reason",
    key: "or session",
    query: ["service", "instance", "since", "limit"],
    refusals: { 401: noKey },
  },
  {
    path: "/api/organization",
    method: "get",
    id: "get_organization",
    tag: "organization",
    summary: "The active organization, its settings, and the events of today",
    session: "member",
    refusals: { 401: "Nobody is signed in" },
  },
  {
    path: "/api/organization",
    method: "put",
    id: "configure_organization",
    tag: "organization",
    summary: "Replace the organization's settings; what is stored already follows a changed retention",
    session: "owner",
    body: "OrganizationChange",
    refusals: { 401: "Nobody is signed in", 403: "Only owners may" },
  },
  {
    path: "/api/keys",
    method: "get",
    id: "list_keys",
    tag: "keys",
    summary: "The organization's API keys, without the keys themselves",
    session: "member",
    refusals: { 401: "Nobody is signed in" },
  },
  {
    path: "/api/keys",
    method: "post",
    id: "create_key",
    tag: "keys",
    summary: "Make an API key, shown this once",
    session: "owner",
    refusals: { 401: "Nobody is signed in", 403: "Only owners may" },
  },
  {
    path: "/api/keys/{id}",
    method: "delete",
    id: "revoke_key",
    tag: "keys",
    summary: "Revoke an API key",
    session: "owner",
    parameters: ["id"],
    refusals: { 401: "Nobody is signed in", 403: "Only owners may", 404: "No such key in use" },
  },
];
