/** A greeting that names the visitor's town, if a cookie of that name tells it. */
export function greetingFrom(cookies: string | undefined): string {
  const town = /(?:^|; )town=([^;]*)/.exec(cookies ?? "")?.[1];
  return town === undefined ? "Welcome!" : `Hello ${decodeURIComponent(town)}!`;
}
