import { byMember, byOwner } from "./access.ts";
import type { Operation } from "./openapi-public-operations.ts";

const notSignedIn = "Not signed in";
const foreignOrOwner = "Only owners may, and no page of another site";

/** What takes data along, and what deletes it for good. */
export const deletionOperations: readonly Operation[] = [
  {
    path: "/api/incidents/{id}",
    method: "delete",
    id: "delete_incident",
    tag: "incidents",
    summary: "Delete an incident with its report and its input",
    ...byMember.config,
    parameters: ["id"],
    refusals: {
      401: notSignedIn,
      403: "A browser sent the request from another site's page",
      404: "No such incident here",
    },
  },
  {
    path: "/api/services/{service}",
    method: "delete",
    id: "delete_service",
    tag: "telemetry",
    summary: "Delete a service with its telemetry and its incidents, in every environment",
    ...byOwner.config,
    parameters: ["service"],
    refusals: { 401: notSignedIn, 403: foreignOrOwner },
  },
  {
    path: "/api/organization/data",
    method: "delete",
    id: "delete_organization_data",
    tag: "organization",
    summary: "Delete all that the organization has but itself, its members, and its audit log",
    ...byOwner.config,
    refusals: { 401: notSignedIn, 403: foreignOrOwner },
  },
  {
    path: "/api/organization/export",
    method: "get",
    id: "export_organization",
    tag: "organization",
    summary: "All that the organization has, as JSON lines, without credentials",
    ...byOwner.config,
    refusals: { 401: notSignedIn, 403: "Only owners may" },
  },
  {
    path: "/api/account/export",
    method: "get",
    id: "export_account",
    tag: "session",
    summary: "What is kept about the signed-in person, as JSON lines",
    ...byMember.config,
    refusals: { 401: notSignedIn },
  },
  {
    path: "/api/account",
    method: "delete",
    id: "delete_account",
    tag: "session",
    summary: "Delete the signed-in person's account",
    ...byMember.config,
    refusals: {
      401: notSignedIn,
      403: "A browser sent the request from another site's page",
      409: "An organization would have no owner left",
    },
  },
];
