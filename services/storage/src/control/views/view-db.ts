import type { SavedView, ViewChange } from "@whence/protocol";

/** The saved views of a scope. */
export interface ViewScope {
  readonly views: ViewRepository;
}

/** The views that members saved. A member sees their own and shared ones, and changes their own. Users are named by id. */
export interface ViewRepository {
  /** By name. */
  list(userId: string): Promise<readonly SavedView[]>;
  /** Adds a view, unless the member has `max` already, or isn't a member. */
  add(userId: string, view: ViewChange, max: number): Promise<SavedView | "full" | "no-member">;
  /** Null when the member has no such view. */
  replace(userId: string, viewId: string, view: ViewChange): Promise<SavedView | null>;
  /** False when the member has no such view. */
  remove(userId: string, viewId: string): Promise<boolean>;
}
