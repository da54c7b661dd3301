export { CallableThread, ThreadEnded } from "./callable-thread.ts";
export { type Ask, serveCalls } from "./serve-calls.ts";
