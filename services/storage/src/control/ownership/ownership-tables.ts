/** Something that happened to an incident. Ids sort by time. */
export interface IncidentActivityTable {
  id: string;
  incident_id: string;
  activity_json: string;
}

/** Ownership rules: the first that matches decides. */
export interface OwnershipRuleTable {
  scope_id: string;
  position: number;
  match: string;
  pattern: string;
  member_id: string;
}
