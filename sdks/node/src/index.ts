export { addBreadcrumb, captureException, captureMessage, close, flush, lostEvents } from "./api.ts";
export type { BreadcrumbInput, CaptureOptions } from "./capture.ts";
export { credentialHeaders } from "./credential-headers.ts";
export { init } from "./init.ts";
export type { Level } from "./level.ts";
export type { InitOptions, LogSource } from "./options.ts";
export type {
  BeforeSend,
  OutgoingBreadcrumb,
  OutgoingEvent,
  OutgoingException,
  OutgoingFrame,
} from "./outgoing-event.ts";
export type { LostEvents } from "./queue.ts";
