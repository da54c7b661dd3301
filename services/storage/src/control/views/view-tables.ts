/** A view of the list of incidents that a member saved. */
export interface SavedViewTable {
  id: string;
  scope_id: string;
  member_id: string;
  name: string;
  filter_json: string;
  /** 1 where every member sees it, otherwise 0. */
  is_shared: number;
}
