export function headingOf(line) {
  const found = /^#+ ([\w]+(?: [\w]+)*)$/.exec(line);
  return found === null ? null : found[1];
}
