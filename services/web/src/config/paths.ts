/** Where the pages are. What the service answers with the application is the same list (`application-paths.ts`). */
export const paths = {
  home: "/",
  login: "/login",
  signUp: "/sign-up",
  setup: "/setup",
  resetPassword: "/reset-password",
  incidents: "/incidents",
  incident: "/incidents/$id",
  failures: "/failures",
  analyze: "/analyze",
  services: "/services",
  firstService: "/services/new",
  accuracy: "/accuracy",
  settings: "/settings",
  settingsKeys: "/settings/keys",
  settingsAgents: "/settings/agents",
  settingsIntegrations: "/settings/integrations",
  settingsSources: "/settings/sources",
  settingsTriggers: "/settings/triggers",
  settingsInstructions: "/settings/instructions",
  settingsMembers: "/settings/members",
  settingsData: "/settings/data",
  settingsThresholds: "/settings/thresholds",
  settingsNotifications: "/settings/notifications",
  settingsAudit: "/settings/audit",
  settingsAccount: "/settings/account",
} as const;

/**
 * Pages that are built and not shown: no link leads there, and their addresses are unknown. Custom
 * instructions appear once investigations follow them; then the list and what reads it go.
 */
export const hiddenPaths: ReadonlySet<string> = new Set([paths.settingsInstructions]);
