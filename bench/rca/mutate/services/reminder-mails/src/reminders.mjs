import { TENANTS } from './defaults.mjs';
import { newMessage, withCopies } from './message.mjs';
import { createOutbox } from './outbox.mjs';

export function createReminders() {
  const outbox = createOutbox();
  const kinds = {
    plain: ({ to, text }) => newMessage(to, text),
    urgent({ to, text, cc }) {
      const message = newMessage(to, text);
      message.headers['x-priority'] = '1';
      return withCopies(message, cc);
    },
    tenant({ to, text, tenant }) {
      const message = newMessage(to, `${TENANTS[tenant].prefix}: ${text}`);
      message.headers['x-tenant'] = tenant;
      return message;
    },
  };
  return {
    send(kind, input) {
      if (kind === 'history') return outbox.history();
      return outbox.deliver(kind, kinds[kind](input));
    },
  };
}
