/**
 * The paths that the application shows a page for. They are answered with it, every other path with 404. The
 * application's own list is `services/web/src/config/paths.ts`, without its hidden paths; here they are spelled as the
 * router reads them.
 */
export const applicationPaths: readonly string[] = [
  "/",
  "/login",
  "/sign-up",
  "/setup",
  "/reset-password",
  "/incidents",
  "/incidents/:id",
  "/failures",
  "/analyze",
  "/services",
  "/services/new",
  "/accuracy",
  "/settings",
  "/settings/keys",
  "/settings/agents",
  "/settings/integrations",
  "/settings/triggers",
  "/settings/members",
  "/settings/data",
  "/settings/sources",
  "/settings/thresholds",
  "/settings/notifications",
  "/settings/audit",
  "/settings/account",
];
