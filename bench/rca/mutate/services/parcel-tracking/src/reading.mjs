const address = /^(\d{4})\s+(\p{L}[\p{L} .-]*)$/u;
const weight = /^(\d+(?:\.\d+)?)\s*kg$/;

export function addressOf(text) {
  const [, code, town] = address.exec(text);
  return { code: Number(code), town: town.trim() };
}

export function kilogramsOf(text) {
  const match = weight.exec(text);
  return Number(match[1]);
}
