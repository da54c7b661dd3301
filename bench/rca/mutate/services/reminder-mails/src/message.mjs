import { DEFAULT_MESSAGE } from './defaults.mjs';

export function newMessage(to, text) {
  return { ...DEFAULT_MESSAGE, cc: [...DEFAULT_MESSAGE.cc], headers: { ...DEFAULT_MESSAGE.headers }, to, text };
}

export function withCopies(message, addresses) {
  const cc = [...message.cc];
  for (const address of addresses) cc.push(address);
  return Object.assign(message, { cc });
}
