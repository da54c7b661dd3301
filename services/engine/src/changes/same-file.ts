/**
 * Returns whether a path below the service's folder and a file on a stack are the same file, wherever the service was
 * deployed.
 */
export function isSameFile(file: string, path: string): boolean {
  return `/${file}`.endsWith(`/${path}`) || `/${path}`.endsWith(`/${file}`);
}
