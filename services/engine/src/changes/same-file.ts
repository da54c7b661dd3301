/** Whether a path below the service's folder and a file, as a stack names it, are the same, wherever it was deployed. */
export function isSameFile(file: string, path: string): boolean {
  return `/${file}`.endsWith(`/${path}`) || `/${path}`.endsWith(`/${file}`);
}
