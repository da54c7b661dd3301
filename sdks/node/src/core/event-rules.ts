import type { IgnoredErrors } from "./ignored-errors.ts";
import type { BeforeBreadcrumb, BeforeSend } from "./outgoing-event.ts";

/** The program's options for events. A later `init` may change them, so they are read at each use. */
export interface EventRules {
  beforeSend: BeforeSend | undefined;
  beforeBreadcrumb: BeforeBreadcrumb | undefined;
  ignoreErrors: IgnoredErrors;
  /** The share of errors and messages that are reported, from 0 to 1. */
  sampleRate: number;
}
