export { analyzerRoutes } from "./app.ts";
export { type Consumers, startConsumers } from "./consumers/start-consumers.ts";
export { hashSecret, mintSecret, setupToken, visiblePrefix } from "./credentials.ts";
export { analyzerErrors } from "./errors.ts";
export type { HttpContext, RateLimits } from "./http/context.ts";
export { createIdentity } from "./identity/better-auth-identity.ts";
