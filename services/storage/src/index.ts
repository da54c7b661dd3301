export type * from "./control/access-db.ts";
export type * from "./control/accuracy-db.ts";
export type * from "./control/alert-db.ts";
export type * from "./control/allowance.ts";
export type { AuditFault, AuditVerdict } from "./control/audit-chain.ts";
export type * from "./control/control-db.ts";
export type * from "./control/conversation-db.ts";
export type * from "./control/deployment-db.ts";
export type * from "./control/erasure-db.ts";
export type { FailureHistory, RateWindow } from "./control/failure-history.ts";
export { isAgentScope } from "./control/ids.ts";
export type * from "./control/joining-db.ts";
export type * from "./control/liveness-db.ts";
export type * from "./control/notification-db.ts";
export type * from "./control/outbox-db.ts";
export type * from "./control/refinement-db.ts";
export type * from "./control/release-db.ts";
export type * from "./control/settings-db.ts";
export type * from "./control/source-db.ts";
export { makeDataDirectory } from "./data-directory.ts";
export {
  type DiskReading,
  type DiskReserve,
  diskReserve,
  freeBytesOf,
  noDisk,
  type ReservedFrom,
} from "./disk-reserve.ts";
export { storageErrors } from "./errors.ts";
export type * from "./events/event-store.ts";
export type * from "./events/surroundings.ts";
export { type LazyStorage, lazyStorage, openStorage, type Storage, type StorageOptions } from "./open-storage.ts";
export type * from "./queue/queue.ts";
export * from "./queue/topics.ts";
export { asUnwritable } from "./unwritable.ts";
