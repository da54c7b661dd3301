const names = /(^|\/)(upstream|remote|fake|partner)[^/]*(\/|\.)/;

/** Whether a file belongs to a service that others call, whose answer fields are mutated. */
export function isCalledService(file: string): boolean {
  return names.test(file);
}
