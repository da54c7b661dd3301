import { basename } from "node:path/posix";
import type { ChainLink, Location } from "@whence/protocol";
import { capital } from "@whence/vendors";

/**
 * Formats a step of the causal chain, capitalized unless it starts with code, with the service, the release, and the
 * place, unless its words contain them already.
 */
export function stepText({ what, service, release, location }: ChainLink): string {
  const running = [service, release].filter((part) => part !== undefined).join(" ");
  const details = [
    ...(running === "" || plain(what).includes(running) ? [] : [running]),
    ...(location && !what.includes(shortPlace(location)) ? [placeText(location)] : []),
  ];
  return details.length === 0 ? capital(what) : `${capital(what)} (${details.join(", ")})`;
}

/** Formats `src/cart.js:12`, with the function where it is known: `load in src/cart.js:12`. */
export function placeText(place: Location): string {
  const where = place.line === null ? place.file : `${place.file}:${place.line}`;
  return place.function === null || place.function === "" ? where : `${place.function} in ${where}`;
}

function shortPlace({ file, line }: Location): string {
  return line === null ? basename(file) : `${basename(file)}:${line}`;
}

function plain(text: string): string {
  return text.replaceAll("`", "");
}
