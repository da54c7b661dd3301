import type { IconName } from "../components/icon.tsx";
import { paths } from "../config/paths.ts";

/** A page that the shell leads to. */
export interface NavigationEntry {
  readonly label: string;
  readonly to: typeof paths.incidents;
  readonly icon: IconName;
  /** Pressed one after the other. */
  readonly keys: string;
}

/** In the order in which they are shown: a new page is one more entry. */
export const navigation: readonly NavigationEntry[] = [
  { label: "Incidents", to: paths.incidents, icon: "incident", keys: "g i" },
];
