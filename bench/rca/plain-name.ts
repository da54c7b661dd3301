/** A file relative to the folder in which a case ran. */
export function plainName(file: string): string {
  return file
    .replace(/^file:\/\//, "")
    .replace(/^\/?app\//, "")
    .replace(/^\.?\//, "");
}
