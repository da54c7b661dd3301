exports.options = {
  valve: { timeout: 500, retries: 1, connections: 4 },
  forecast: { refreshMinutes: 10 },
  schedule: { maxEntries: 14, horizonDays: 7 },
};
