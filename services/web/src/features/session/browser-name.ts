/** The names in `User-Agent` headers; browsers that also name others come first. */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;

const systems = [
  ["iPhone", "an iPhone"],
  ["iPad", "an iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "a Mac"],
  ["Linux", "Linux"],
] as const;

/** Returns a person's name for the browser of a `User-Agent`. */
export function browserName(userAgent: string): string {
  const browser = nameIn(userAgent, browsers) ?? "An unknown browser";
  const system = nameIn(userAgent, systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}

function nameIn(userAgent: string, names: readonly (readonly [sign: string, name: string])[]): string | undefined {
  return names.find(([sign]) => userAgent.includes(sign))?.[1];
}
