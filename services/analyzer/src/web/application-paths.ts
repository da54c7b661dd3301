/**
 * The paths that the application has a page for: they are answered with it, every other one with 404. As the
 * application's own list has them (`services/web/src/config/paths.ts`), in the router's spelling.
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
  "/settings/instructions",
  "/settings/members",
  "/settings/data",
  "/settings/thresholds",
  "/settings/notifications",
  "/settings/audit",
  "/settings/account",
];
