import { issueToken } from './partner-routes.mjs';

let current;
let currentUntil = 0;

export async function routeToken(now = Date.now()) {
  if (current === undefined || currentUntil < now) {
    const { token, expiresInSeconds } = await issueToken();
    current = token;
    currentUntil = now + expiresInSeconds * 1000 - 50;
  }
  return current;
}
