/** Where the pages are. What the service answers with the application is the same list (`application-paths.ts`). */
export const paths = {
  home: "/",
  login: "/login",
  signUp: "/sign-up",
  setup: "/setup",
  resetPassword: "/reset-password",
  incidents: "/incidents",
  incident: "/incidents/$id",
} as const;
