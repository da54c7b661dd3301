import {
  type CommentRequest,
  type FeedbackRequest,
  type Incident,
  incidentSchema,
  type LifecycleChange,
  type OwnerChange,
} from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const pathOf = (id: string): string => `/api/incidents/${encodeURIComponent(id)}`;

/** Asks for another investigation of an incident that has ended. */
export function rerunIncident(id: string): Promise<Incident> {
  return request(incidentSchema, `${pathOf(id)}/rerun`, { method: "POST", body: {} });
}

/** Resolves, mutes, ignores, or reopens an incident. */
export function changeLifecycle(id: string, change: LifecycleChange): Promise<Incident> {
  return request(incidentSchema, `${pathOf(id)}/lifecycle`, { method: "POST", body: change });
}

/** Takes an incident, hands it over, lets it go, or acknowledges it. */
export function changeOwner(id: string, change: OwnerChange): Promise<Incident> {
  return request(incidentSchema, `${pathOf(id)}/owner`, { method: "POST", body: change });
}

/** Adds a comment to an incident's activity. */
export function commentOn(id: string, comment: CommentRequest): Promise<Incident> {
  return request(incidentSchema, `${pathOf(id)}/comments`, { method: "POST", body: comment });
}

/** Merges other incidents into one, which keeps its report. */
export function mergeIncidents(id: string, ids: readonly string[]): Promise<Incident> {
  return request(incidentSchema, `${pathOf(id)}/merge`, { method: "POST", body: { ids } });
}

/** Separates a merged incident again. */
export function unmergeIncident(id: string): Promise<Incident> {
  return request(incidentSchema, `${pathOf(id)}/unmerge`, { method: "POST", body: {} });
}

/** Gives a failure that joined an incident one of its own, for good; returns that one. */
export function splitOffFailure(id: string, fingerprint: string): Promise<Incident> {
  return request(incidentSchema, `${pathOf(id)}/split-off`, { method: "POST", body: { fingerprint } });
}

/** Opens the report's patch as a draft pull request at the connected code host. */
export function openPullRequest(id: string): Promise<Incident> {
  return request(incidentSchema, `${pathOf(id)}/pull-request`, { method: "POST", body: {} });
}

/** Sends a verdict on the report. */
export async function giveFeedback(id: string, feedback: FeedbackRequest): Promise<void> {
  await request(z.unknown(), `${pathOf(id)}/feedback`, { method: "POST", body: feedback });
}

/** Deletes an incident with its report and its input. */
export async function deleteIncident(id: string): Promise<void> {
  await request(z.unknown(), pathOf(id), { method: "DELETE" });
}
