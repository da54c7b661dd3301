/** A link by which a report is read without an account. Only the hash of its token is stored. */
export interface IncidentShareTable {
  id: string;
  scope_id: string;
  incident_id: string;
  token_hash: string;
  created_at: string;
  user_id: string;
  user_name: string;
  expires_at: string;
  opened: number;
  last_opened_at: string | null;
}
