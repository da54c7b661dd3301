import type { IgnoredErrors } from "./ignored-errors.ts";
import type { BeforeBreadcrumb, BeforeSend } from "./outgoing-event.ts";

/** What the program decided about its events. A later `init` may change it, so it is read when it is needed. */
export interface EventRules {
  beforeSend: BeforeSend | undefined;
  beforeBreadcrumb: BeforeBreadcrumb | undefined;
  ignoreErrors: IgnoredErrors;
  /** The share of errors and messages that are reported, from 0 to 1. */
  sampleRate: number;
}
