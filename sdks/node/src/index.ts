export {
  addBreadcrumb,
  captureException,
  captureMessage,
  close,
  flush,
  lostEvents,
  type Scope,
  setContext,
  setTag,
  setTags,
  setUser,
  type TagValue,
  type User,
  withScope,
} from "./api.ts";
export type { BreadcrumbInput } from "./core/breadcrumb-recorder.ts";
export type { CaptureOptions } from "./core/create-event.ts";
export { credentialHeaders } from "./core/credential-headers.ts";
export type { Level, LevelName } from "./core/level.ts";
export type {
  BeforeBreadcrumb,
  BeforeSend,
  OutgoingBreadcrumb,
  OutgoingEvent,
  OutgoingException,
  OutgoingFrame,
} from "./core/outgoing-event.ts";
export type { LostEvents } from "./delivery/queue.ts";
export { init } from "./init.ts";
export type { InitOptions, LogSource } from "./options.ts";
