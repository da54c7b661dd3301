import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import type { JSX } from "react";
import { Toasts } from "../components/toasts.tsx";
import { paths } from "../config/paths.ts";
import { createQueryClient } from "../lib/query-client.ts";
import { createAppRouter } from "./router.tsx";

const queryClient = createQueryClient(leaveForSignIn);
const router = createAppRouter(queryClient);

/** The whole application. */
export function Application(): JSX.Element {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  );
}

/**
 * Clears the cached data when the session has ended, wherever that happened, and signing in leads back to this page.
 */
function leaveForSignIn(): void {
  const { pathname, href } = router.state.location;
  if ([paths.login, paths.signUp, paths.setup, paths.resetPassword].some((path) => path === pathname)) return;
  queryClient.clear();
  void router.navigate({ to: paths.login, search: { next: href }, replace: true });
}
