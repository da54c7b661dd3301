/**
 * The paths of the application's pages; every other path gets 404. The application's own list is
 * `services/web/src/config/paths.ts`;
 * these are in the router's syntax.
 */
export const applicationPaths: readonly string[] = [
  "/",
  "/login",
  "/sign-up",
  "/setup",
  "/reset-password",
  "/verify-email",
  "/shared",
  "/incidents",
  "/incidents/:id",
  "/failures",
  "/analyze",
  "/services",
  "/services/new",
  "/services/:service",
  "/accuracy",
  "/settings",
  "/settings/keys",
  "/settings/agents",
  "/settings/integrations",
  "/settings/model",
  "/settings/instructions",
  "/settings/triggers",
  "/settings/monitors",
  "/settings/members",
  "/settings/data",
  "/settings/sources",
  "/settings/ownership",
  "/settings/thresholds",
  "/settings/notifications",
  "/settings/audit",
  "/settings/account",
];
