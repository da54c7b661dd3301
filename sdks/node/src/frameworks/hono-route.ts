/** What is known of the routes of a Hono request. */
export interface RoutedHonoRequest {
  readonly matchedRoutes: readonly { readonly method: string; readonly path: string }[];
}

/** What `app.use` and `app.all` call their method. */
const anyMethod = "ALL";

/** The last of the routes that match, middleware left out: the one that answers. */
export function honoRoute({ matchedRoutes }: RoutedHonoRequest): string | undefined {
  return (matchedRoutes.findLast(({ method }) => method !== anyMethod) ?? matchedRoutes.at(-1))?.path;
}
