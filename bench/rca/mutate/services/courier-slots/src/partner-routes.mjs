import { setTimeout as wait } from 'node:timers/promises';

const issued = new Map();

export async function issueToken() {
  await wait(2);
  const token = `route-${issued.size}`;
  issued.set(token, Date.now() + 500);
  return { token, expiresInSeconds: 0.5 };
}

export async function askRoute(token, signal) {
  await wait(30, undefined, { signal });
  const until = issued.get(token);
  if (until < Date.now()) return { status: 401, reason: 'token has expired' };
  return { status: 200, minutes: 24 };
}
