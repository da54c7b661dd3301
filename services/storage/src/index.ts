export type * from "./control/accuracy-db.ts";
export type * from "./control/control-db.ts";
export type { FailureHistory, RateWindow } from "./control/failure-history.ts";
export { storageErrors } from "./errors.ts";
export type * from "./events/event-store.ts";
export { type LazyStorage, lazyStorage, openStorage, type Storage, type StorageOptions } from "./open-storage.ts";
export type * from "./queue/queue.ts";
export * from "./queue/topics.ts";
export type * from "./events/surroundings.ts";
