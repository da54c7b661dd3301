import { createContext, useContext } from "react";

/** The person viewing the settings, and their organization. */
export interface Viewer {
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Whether they may change them. */
  readonly isOwner: boolean;
}

/** Provided by the frame of the settings pages. */
export const ViewerContext = createContext<Viewer | null>(null);

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (viewer === null) throw new TypeError("settings are shown outside of their page");
  return viewer;
}
