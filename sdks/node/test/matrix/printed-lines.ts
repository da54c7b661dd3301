const masks: readonly (readonly [RegExp, string])[] = [
  [/\/(plain|coded)\//g, "/"],
  [/\(node:\d+\)/g, "(node:PID)"],
  [/"pid":\d+/g, '"pid":PID'],
  [/"remotePort":\d+/g, '"remotePort":PORT'],
  [/"(time|responseTime)":[\d.]+/g, '"$1":TIME'],
  [/\[Nest\] \d+ {2}- .*?M /g, "[Nest] PID - TIME "],
  [/^\d+ [A-Z][a-z]{2} \d\d:\d\d:\d\d/gm, "TIME"],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME"],
  [/[+]?\d+(\.\d+)? ?ms\b/g, "TIME"],
];

/** Returns the lines of a text without what differs between runs: ports, process ids, times, and the folder. */
export function maskedLines(text: string, port: number, folder: string): string[] {
  const named = text.replaceAll(folder, "").replaceAll(String(port), "PORT");
  return masks.reduce((masked, [pattern, name]) => masked.replaceAll(pattern, name), named).split("\n");
}
