export function createOutbox() {
  const sent = [];
  return {
    deliver(kind, message) {
      check(kind, message);
      sent.push({ to: message.to, copies: message.cc.length });
      return { to: message.to, cc: message.cc, headers: Object.keys(message.headers).length };
    },
    history: () => sent.map(({ to, copies }) => `${to}+${copies}`),
  };
}

function check(kind, { to, cc, headers }) {
  if (cc.includes(to)) throw new Error(`${to} would get a copy of its own mail`);
  if (kind === 'plain' && cc.length > 0) throw new Error(`a plain reminder to ${to} has copies for ${cc.join()}`);
  if (kind === 'plain' && 'x-tenant' in headers) throw new Error(`a plain reminder names tenant ${headers['x-tenant']}`);
  if (kind !== 'urgent' && headers['x-priority'] !== undefined) throw new Error(`${kind} reminders have no priority`);
}
