export type * from "./control/access/access-db.ts";
export type * from "./control/access/allowance.ts";
export type * from "./control/access/erasure-db.ts";
export type * from "./control/accuracy/accuracy-db.ts";
export type * from "./control/alerts/alert-db.ts";
export type * from "./control/artifacts/artifact-db.ts";
export type { AuditFault, AuditVerdict } from "./control/audit/audit-chain.ts";
export type * from "./control/audit/audit-db.ts";
export type * from "./control/backup/backup-db.ts";
export type * from "./control/control-db.ts";
export type * from "./control/conversations/conversation-db.ts";
export type * from "./control/failures/failure-db.ts";
export type { FailureHistory, RateWindow } from "./control/failures/failure-history.ts";
export type * from "./control/failures/joining-db.ts";
export type * from "./control/failures/liveness-db.ts";
export { isAgentScope } from "./control/ids.ts";
export type * from "./control/incidents/incident-db.ts";
export type * from "./control/investigations/outbox-db.ts";
export type * from "./control/investigations/refinement-db.ts";
export type * from "./control/lifecycle/lifecycle-db.ts";
export type * from "./control/merges/merge-db.ts";
export type * from "./control/models/model-db.ts";
export type * from "./control/monitors/monitor-db.ts";
export type * from "./control/notifications/notification-db.ts";
export type * from "./control/ownership/ownership-db.ts";
export type * from "./control/place-watches/place-watch-db.ts";
export type * from "./control/releases/deployment-db.ts";
export type * from "./control/releases/release-commit-db.ts";
export type * from "./control/releases/release-db.ts";
export type * from "./control/settings/secret-db.ts";
export type * from "./control/settings/settings-db.ts";
export type * from "./control/shares/share-db.ts";
export type * from "./control/sources/source-db.ts";
export type * from "./control/views/view-db.ts";
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
export type * from "./events/measures.ts";
export type * from "./events/readings.ts";
export type * from "./events/service-telemetry.ts";
export type * from "./events/sessions.ts";
export type * from "./events/spans.ts";
export type * from "./events/surroundings.ts";
export { type LazyStorage, lazyStorage, openStorage, type Storage, type StorageOptions } from "./open-storage.ts";
export type * from "./queue/queue.ts";
export * from "./queue/topics.ts";
export { asUnwritable } from "./unwritable.ts";
