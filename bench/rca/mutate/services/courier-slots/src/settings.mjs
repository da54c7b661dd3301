export const settings = {
  routeTimeoutMs: 400,
  slotsPerHour: 6,
  gate: { maxWaiting: 12, maxRunning: 3 },
  signatureMaxAgeMs: 60 * 1000,
  noteMaxBytes: 4 * 1024,
};
