import type { IconName } from "../components/icon.tsx";
import { paths } from "../config/paths.ts";

/** A page in the shell's navigation. */
export interface NavigationEntry {
  readonly label: string;
  readonly to: (typeof paths)["incidents" | "failures" | "analyze" | "services" | "accuracy" | "settings"];
  readonly icon: IconName;
  /** Pressed one after the other. */
  readonly keys: string;
}

/** In display order; a new page is one more entry. */
export const navigation: readonly NavigationEntry[] = [
  { label: "Incidents", to: paths.incidents, icon: "incident", keys: "g i" },
  { label: "Failures", to: paths.failures, icon: "failures", keys: "g f" },
  { label: "Analyze", to: paths.analyze, icon: "analyze", keys: "g a" },
  { label: "Services", to: paths.services, icon: "services", keys: "g s" },
  { label: "Accuracy", to: paths.accuracy, icon: "accuracy", keys: "g c" },
  { label: "Settings", to: paths.settings, icon: "settings", keys: "g ," },
];

/** The pages of the settings, which are also in the command palette. */
export const settingsPages = [
  { label: "API keys", to: paths.settingsKeys },
  { label: "Agents", to: paths.settingsAgents },
  { label: "Integrations", to: paths.settingsIntegrations },
  { label: "Source code", to: paths.settingsSources },
  { label: "Triggers", to: paths.settingsTriggers },
  { label: "Monitors", to: paths.settingsMonitors },
  { label: "Language model", to: paths.settingsModel },
  { label: "Custom instructions", to: paths.settingsInstructions },
  { label: "Incident thresholds", to: paths.settingsThresholds },
  { label: "Ownership", to: paths.settingsOwnership },
  { label: "Notifications", to: paths.settingsNotifications },
  { label: "Members", to: paths.settingsMembers },
  { label: "Retention and quota", to: paths.settingsData },
  { label: "Audit log", to: paths.settingsAudit },
  { label: "Your account", to: paths.settingsAccount },
] as const;
