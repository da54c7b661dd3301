/** Where a person reads the incident. */
export function incidentUrl(appUrl: string, incidentId: string): string {
  return `${appUrl}/incidents/${incidentId}`;
}
