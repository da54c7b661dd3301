/** The person who views an incident, and the organization that they act for. */
export interface IncidentViewer {
  readonly userId: string;
  readonly organizationId: string | null;
}
