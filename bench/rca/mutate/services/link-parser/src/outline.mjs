import { headingOf } from './headings.mjs';
import { linkIn, withoutCode } from './inline.mjs';
import { isAbsolute } from './targets.mjs';

export function outlineOf(text) {
  const outline = { headings: [], links: [], relative: 0 };
  for (const line of text.split('\n')) {
    const heading = headingOf(line);
    if (heading !== null) outline.headings.push(heading);
    const link = linkIn(withoutCode(line));
    if (link === null) continue;
    outline.links.push(link);
    if (!isAbsolute(link.target)) outline.relative += 1;
  }
  return outline;
}
