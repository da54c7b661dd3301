/** Returns the words of a name, in lowercase. */
export function wordsOfName(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_\W]+/)
    .filter((word) => word !== "");
}
