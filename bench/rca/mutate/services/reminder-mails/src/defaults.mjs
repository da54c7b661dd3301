export const DEFAULT_MESSAGE = { from: 'billing@example.com', cc: [], headers: { 'x-mailer': 'reminders' }, attempts: 2 };
export const TENANTS = { north: { prefix: 'N' }, south: { prefix: 'S' } };
