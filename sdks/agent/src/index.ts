export { Agent, type AgentOptions } from "./agent.ts";
export { WhenceClient, type WhenceClientOptions } from "./client.ts";
export type { AgentEntry, FormerAgent } from "./credentials.ts";
export { ServiceRefusal } from "./errors.ts";
export type { FollowMessage } from "./follow.ts";
export { defaultServiceUrl } from "./service-address.ts";
