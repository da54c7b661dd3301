/** The routes of a Hono request. */
export interface RoutedHonoRequest {
  readonly matchedRoutes: readonly { readonly method: string; readonly path: string }[];
}

/** The method of routes added by `app.use` and `app.all`. */
const anyMethod = "ALL";

/** Returns the last matching route other than middleware, which is the one that responds. */
export function honoRoute({ matchedRoutes }: RoutedHonoRequest): string | undefined {
  return (matchedRoutes.findLast(({ method }) => method !== anyMethod) ?? matchedRoutes.at(-1))?.path;
}
