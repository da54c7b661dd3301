import { askRoute } from './partner-routes.mjs';
import { routeToken } from './route-tokens.mjs';
import { settings } from './settings.mjs';

export async function minutesOf(address) {
  const answer = await askRoute(await routeToken(), AbortSignal.timeout(settings.routeTimeoutMs));
  if (answer.status !== 200) throw new Error(`no route to ${address}: ${answer.status} ${answer.reason}`);
  return answer.minutes;
}
