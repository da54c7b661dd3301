import { Accounts } from './accounts.mjs';

const accounts = new Accounts();

export function handle(request) {
  if (request.path !== '/accounts') return { status: 404, problems: [] };
  return accounts.signUp(JSON.parse(request.body));
}
