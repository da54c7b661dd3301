/** Ends the name of a folder in a text. `:` and `{` begin the parameter of a route, such as `/users/:id`. */
const end = String.raw`\\/:;,'"\x60()<>[\]{}|*?\r\n`;
/** Where homes are on Linux and macOS, also as seen from WSL and through macOS's volumes. `/home/feed` may be a route. */
const posix = String.raw`(?:/mnt/[a-z]|/var|/export|/System/Volumes/Data)?/(?:home/[^\s${end}]+(?=/)|Users/[^\s${end}]+)`;
/** A name on Windows may contain spaces, and a folder follows it then. */
const windows = String.raw`/?[A-Za-z]:[\\/]+Users[\\/]+(?:[^${end}]+(?=[\\/])|[^\s${end}]+)`;
/** The path of a URL, a route, and a folder of a project, which may have the same names. */
const otherPath = String.raw`https?://[\w.:@-]*|\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) |[\w.@~-]`;
const homeFolder = new RegExp(`(?<!${otherPath})(?:${windows}|${posix}|/root(?=/))`, "g");

/**
 * Returns the text with `~` for each home folder, whose name is a person's login: `/home/alice`, `/Users/alice`,
 * `C:\Users\alice`, `/root`.
 */
export function withoutHomeFolder(text: string): string {
  return text.replaceAll(homeFolder, "~");
}

/**
 * Returns a copy of JSON data with {@link withoutHomeFolder} applied to each of its texts but diffs, which would no
 * longer apply.
 */
export function withoutHomeFolders<Data extends object>(data: Data): Data {
  return JSON.parse(JSON.stringify(data), (key, part) =>
    typeof part === "string" && key !== "diff" ? withoutHomeFolder(part) : part,
  );
}
