import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { z } from "zod";
import { paths } from "../config/paths.ts";
import { failureFilterSchema } from "../features/failures/failure-filter.ts";
import { fewIncidentsQuery } from "../features/incidents/api/list-incidents.ts";
import { incidentFilterSchema } from "../features/incidents/list/incident-filter.ts";
import { servicesQuery } from "../features/services/api/list-services.ts";
import { serviceViewSchema } from "../features/services/service-view.ts";
import { sessionQuery } from "../features/session/api/get-session.ts";
import { ApiError, statusUnauthorized } from "../lib/api-client.ts";
import { parseSearch, stringifySearch } from "../lib/search-text.ts";
import { focusNewPages } from "./focus-new-pages.ts";
import { NotFound, RouteProblem, RouteWaiting } from "./route-states.tsx";

const text = z.string().optional().catch(undefined);

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

const outside = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.login,
    validateSearch: z.object({ next: text, claim: text, invitation: text, error: text }),
    component: lazyRouteComponent(() => import("./routes/login.tsx"), "LoginRoute"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.signUp,
    validateSearch: z.object({ next: text, claim: text, invitation: text }),
    component: lazyRouteComponent(() => import("./routes/sign-up.tsx"), "SignUpRoute"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.setup,
    validateSearch: z.object({ token: z.string().catch(""), next: text }),
    component: lazyRouteComponent(() => import("./routes/setup.tsx"), "SetupRoute"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.resetPassword,
    validateSearch: z.object({ token: text }),
    component: lazyRouteComponent(() => import("./routes/reset-password.tsx"), "ResetPasswordRoute"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.verifyEmail,
    validateSearch: z.object({ token: z.string().catch("") }),
    beforeLoad: ({ context, location }) => requireSession(context.queryClient, location.href),
    component: lazyRouteComponent(() => import("./routes/verify-email.tsx"), "VerifyEmailRoute"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.shared,
    component: lazyRouteComponent(() => import("./routes/shared-report.tsx"), "SharedRoute"),
  }),
];

/** Without a session, the person goes to the sign-in page and then back. */
async function requireSession(queryClient: QueryClient, next: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== statusUnauthorized) throw error;
    throw redirect({ to: paths.login, search: { next }, replace: true });
  }
}

/** Everything below requires a session. */
const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "inside",
  beforeLoad: ({ context, location }) => requireSession(context.queryClient, location.href),
  component: lazyRouteComponent(() => import("./shell.tsx"), "Shell"),
});

/** Redirects to the incidents, or to the first-service page while there are neither services nor incidents. */
const homeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: paths.home,
  beforeLoad: async ({ context: { queryClient } }) => {
    const isFresh = await hasNothingYet(queryClient);
    throw redirect({ to: isFresh ? paths.firstService : paths.incidents, replace: true });
  },
});

async function hasNothingYet(queryClient: QueryClient): Promise<boolean> {
  const { organization } = await queryClient.ensureQueryData(sessionQuery);
  // Without an organization there is nothing to query; every page asks to create one first.
  if (organization === null) return true;
  const [services, { incidents }] = await Promise.all([
    queryClient.fetchQuery(servicesQuery),
    queryClient.fetchQuery(fewIncidentsQuery({}, 1)),
  ]);
  return services.length === 0 && incidents.length === 0;
}

/** To add a page for signed-in people: a route here, a file in `routes/`, and its path in `config/paths.ts`. */
const inside = [
  createRoute({
    getParentRoute: () => insideRoute,
    path: paths.incidents,
    validateSearch: incidentFilterSchema,
    component: lazyRouteComponent(() => import("./routes/incidents.tsx"), "IncidentsRoute"),
  }),
  createRoute({
    getParentRoute: () => insideRoute,
    path: paths.incident,
    component: lazyRouteComponent(() => import("./routes/incident.tsx"), "IncidentRoute"),
  }),
  createRoute({
    getParentRoute: () => insideRoute,
    path: paths.failures,
    validateSearch: failureFilterSchema,
    component: lazyRouteComponent(() => import("./routes/failures.tsx"), "FailuresRoute"),
  }),
  createRoute({
    getParentRoute: () => insideRoute,
    path: paths.analyze,
    component: lazyRouteComponent(() => import("./routes/analyze.tsx"), "AnalyzeRoute"),
  }),
  createRoute({
    getParentRoute: () => insideRoute,
    path: paths.services,
    component: lazyRouteComponent(() => import("./routes/services.tsx"), "ServicesRoute"),
  }),
  createRoute({
    getParentRoute: () => insideRoute,
    path: paths.firstService,
    component: lazyRouteComponent(() => import("./routes/first-service.tsx"), "FirstServiceRoute"),
  }),
  createRoute({
    getParentRoute: () => insideRoute,
    path: paths.service,
    validateSearch: serviceViewSchema,
    component: lazyRouteComponent(() => import("./routes/service.tsx"), "ServiceRoute"),
  }),
  createRoute({
    getParentRoute: () => insideRoute,
    path: paths.accuracy,
    component: lazyRouteComponent(() => import("./routes/accuracy.tsx"), "AccuracyRoute"),
  }),
] as const;

/** The settings pages, next to their own navigation. */
const settingsRoute = createRoute({
  getParentRoute: () => insideRoute,
  id: "settings-pages",
  component: lazyRouteComponent(() => import("./routes/settings.tsx"), "SettingsRoute"),
});

const settingsHomeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: paths.settings,
  beforeLoad: () => {
    throw redirect({ to: paths.settingsKeys, replace: true });
  },
});

const settings = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsKeys,
    component: lazyRouteComponent(() => import("../features/settings/keys/keys-page.tsx"), "KeysPage"),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsAgents,
    component: lazyRouteComponent(() => import("../features/settings/components/agents-page.tsx"), "AgentsPage"),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsIntegrations,
    component: lazyRouteComponent(
      () => import("../features/settings/integrations/integrations-page.tsx"),
      "IntegrationsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsSources,
    component: lazyRouteComponent(() => import("../features/settings/sources/sources-page.tsx"), "SourcesPage"),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsTriggers,
    component: lazyRouteComponent(() => import("../features/settings/triggers/triggers-page.tsx"), "TriggersPage"),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsMonitors,
    component: lazyRouteComponent(() => import("../features/settings/monitors/monitors-page.tsx"), "MonitorsPage"),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsModel,
    component: lazyRouteComponent(() => import("../features/settings/model/model-page.tsx"), "ModelPage"),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsInstructions,
    component: lazyRouteComponent(
      () => import("../features/settings/instructions/instructions-page.tsx"),
      "InstructionsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsMembers,
    component: lazyRouteComponent(() => import("../features/settings/members/members-page.tsx"), "MembersPage"),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsData,
    component: lazyRouteComponent(() => import("../features/settings/components/data-page.tsx"), "DataPage"),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsThresholds,
    component: lazyRouteComponent(
      () => import("../features/settings/components/thresholds-page.tsx"),
      "ThresholdsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsOwnership,
    component: lazyRouteComponent(() => import("../features/settings/ownership/ownership-page.tsx"), "OwnershipPage"),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsNotifications,
    component: lazyRouteComponent(
      () => import("../features/settings/notifications/notifications-page.tsx"),
      "NotificationsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsAudit,
    component: lazyRouteComponent(() => import("../features/settings/components/audit-page.tsx"), "AuditPage"),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: paths.settingsAccount,
    component: lazyRouteComponent(() => import("./routes/settings-account.tsx"), "AccountRoute"),
  }),
] as const;

const routeTree = rootRoute.addChildren([
  ...outside,
  insideRoute.addChildren([homeRoute, ...inside, settingsHomeRoute, settingsRoute.addChildren(settings)]),
]);

function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
    defaultErrorComponent: RouteProblem,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: RouteWaiting,
  });
}

/** The application's pages, each loaded on its first visit. */
export function createAppRouter(queryClient: QueryClient): ReturnType<typeof makeRouter> {
  const router = makeRouter(queryClient);
  focusNewPages(router);
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
