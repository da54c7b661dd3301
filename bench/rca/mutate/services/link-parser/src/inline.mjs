const link = /\[([^\]]+)\]\(([^)\s]+)\)/;
const code = /`([^`]+)`/g;

export function linkIn(line) {
  const found = line.match(link);
  return found === null ? null : { text: found[1], target: found[2] };
}

export function withoutCode(line) {
  return line.replace(code, '');
}
