export type * from "./control/control-db.ts";
export type * from "./events/event-store.ts";
export type * from "./queue/queue.ts";
export * from "./queue/topics.ts";
