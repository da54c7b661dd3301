import {
  accuracySchema,
  agentStatusSchema,
  analyzeRequestSchema,
  analyzeResponseSchema,
  batchSchema,
  claimRequestSchema,
  claimResponseSchema,
  errorBodySchema,
  feedbackRequestSchema,
  feedbackSchema,
  fileContentSchema,
  httpValidationErrorSchema,
  incidentPageSchema,
  incidentSchema,
  incidentTelemetrySchema,
  registerRequestSchema,
  registerResponseSchema,
  sessionSchema,
  setupRequestSchema,
  signInOptionsSchema,
  validationErrorSchema,
} from "@whence/protocol";
import { z } from "zod";
import { organizationChangeSchema } from "./organization.ts";

/** The schemas that the routes parse with and answer by, under the names of the documents. */
export const schemas = {
  AnalyzeMCPIncidentRequest: analyzeRequestSchema,
  AnalyzeMCPIncidentResponse: analyzeResponseSchema,
  FileContent: fileContentSchema,
  RegisterAgentRequest: registerRequestSchema,
  RegisterAgentResponse: registerResponseSchema,
  ClaimAgentRequest: claimRequestSchema,
  ClaimAgentResponse: claimResponseSchema,
  AgentStatus: agentStatusSchema,
  HTTPValidationError: httpValidationErrorSchema,
  ValidationError: validationErrorSchema,
  Error: errorBodySchema,
  Incident: incidentSchema,
  FeedbackRequest: feedbackRequestSchema,
  FeedbackList: z.object({ feedback: z.array(feedbackSchema) }),
  Accuracy: accuracySchema,
  IncidentPage: incidentPageSchema,
  IncidentTelemetry: incidentTelemetrySchema,
  Session: sessionSchema,
  SetupRequest: setupRequestSchema,
  SignInOptions: signInOptionsSchema,
  TelemetryBatch: batchSchema,
  OrganizationChange: organizationChangeSchema,
} as const satisfies Record<string, z.ZodType>;

export type SchemaName = keyof typeof schemas;
