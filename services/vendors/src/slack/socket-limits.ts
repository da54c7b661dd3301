import { minuteMs } from "@whence/protocol";

/** Every limit of Socket Mode, once, with its unit last. */
export const slackSocketLimits = {
  /** How often Slack is pinged. */
  pingEveryMs: 10_000,
  /** The delay before another connection is opened; doubled after each failure. */
  reconnectAfterMs: 1_000,
  reconnectAfterMaxMs: minuteMs,
  /** The delay before a token that Slack rejected is tried again. */
  rejectedAfterMs: 300_000,
} as const;
