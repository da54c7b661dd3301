const names = /(^|\/)(upstream|remote|fake|partner)[^/]*(\/|\.)/;

/** Whether a file belongs to a service that the others call: the fields of its answers are what changes. */
export function isCalledService(file: string): boolean {
  return names.test(file);
}
