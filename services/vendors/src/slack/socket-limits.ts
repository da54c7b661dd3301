/** Every number of Socket Mode, once, with its unit last. */
export const slackSocketLimits = {
  /** How often Slack is asked whether it is still there. */
  pingEveryMs: 10_000,
  /** Before another connection is opened; twice as long after each failure. */
  reconnectAfterMs: 1_000,
  reconnectAfterMaxMs: 60_000,
  /** Before a token that Slack rejected is tried again. */
  rejectedAfterMs: 300_000,
} as const;
