/**
 * The paths of the pages. The service's list of paths that it answers with the application is the same
 * (`application-paths.ts`).
 */
export const paths = {
  home: "/",
  login: "/login",
  signUp: "/sign-up",
  setup: "/setup",
  resetPassword: "/reset-password",
  verifyEmail: "/verify-email",
  incidents: "/incidents",
  incident: "/incidents/$id",
  failures: "/failures",
  analyze: "/analyze",
  services: "/services",
  firstService: "/services/new",
  service: "/services/$service",
  accuracy: "/accuracy",
  settings: "/settings",
  settingsKeys: "/settings/keys",
  settingsAgents: "/settings/agents",
  settingsIntegrations: "/settings/integrations",
  settingsSources: "/settings/sources",
  settingsTriggers: "/settings/triggers",
  settingsModel: "/settings/model",
  settingsInstructions: "/settings/instructions",
  settingsMembers: "/settings/members",
  settingsData: "/settings/data",
  settingsThresholds: "/settings/thresholds",
  settingsNotifications: "/settings/notifications",
  settingsAudit: "/settings/audit",
  settingsAccount: "/settings/account",
} as const;
