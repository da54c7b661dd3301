import { codeExtensions } from "@whence/protocol";

/** Only such files are sent without being named by the user. */
const extensions = codeExtensions.join("|");

const named = new RegExp(`^(.*?[^/.]\\.(?:${extensions}))(?=$|[:?#(),])`, "i");
const code = new RegExp(`[^/.]\\.(?:${extensions})$`, "i");
const pathsMax = 200;
const tokenLengthMax = 1_024;

/** More different paths than this are a whole log's, most of them unrelated to the failure. */
const failurePathsMax = 20;
/** Lines above and below a line that says that something failed, such as those of a stack. */
const linesAround = { above: 3, below: 40 } as const;
const fails =
  /\b(?:error|exception|failed|failure|fatal|panic|traceback|FAIL)\b|\w(?:Error|Exception)\b|[✕✗✘×●]|^not ok\b/i;
/** The first line of a step: of GitHub Actions, GitLab, Azure Pipelines, Buildkite, and an image build. */
const stepStart = /##\[(?:group|section)\]|section_start:|^(?:---|\+\+\+) \S|^#\d{1,4} \[/;

/**
 * Returns the paths of source files in an error text, without line numbers, and with the folders of a Java class: in
 * order of first mention or, of a long log, first those near the failures of the last step that failed, then the others
 * of that step. Linear in the length of the text.
 */
export function pathsInText(text: string): string[] {
  const lines = text.split("\n");
  const all = pathsOf(lines);
  if (all.length <= failurePathsMax) return all;
  const last = lines.findLastIndex((line) => fails.test(line));
  if (last < 0) return all.slice(0, pathsMax);
  const from = Math.max(
    0,
    lines.findLastIndex((line, index) => index <= last && stepStart.test(line)),
  );
  const next = lines.findIndex((line, index) => index > last && stepStart.test(line));
  const step = lines.slice(from, next < 0 ? undefined : next);
  return [...new Set([...pathsOf(nearFailures(step)), ...pathsOf(step), ...all])].slice(0, pathsMax);
}

function pathsOf(lines: readonly string[]): string[] {
  return [...new Set(lines.flatMap((line) => pathsInLine(line)))];
}

function nearFailures(lines: readonly string[]): string[] {
  const isNear = lines.map(() => false);
  for (const [index, line] of lines.entries())
    if (fails.test(line)) isNear.fill(true, Math.max(0, index - linesAround.above), index + linesAround.below + 1);
  return lines.filter((_, index) => isNear[index]);
}

/** Whether a file holds code, judging by its name, rather than settings, keys, or certificates. */
export function isCode(path: string): boolean {
  return code.test(path);
}

function pathsInLine(logged: string): string[] {
  // A log line in JSON has the stack as a text of its own.
  const line = logged.replaceAll('\\"', '"');
  // Python quotes its paths, which may contain spaces, so those come first.
  const quoted = line.split('"').filter((_, index) => index % 2 === 1);
  const words = line.split(/[\s"'`<>|=()[\]{}]+/);
  const paths = [...quoted, ...words].flatMap((word) => {
    if (word.length > tokenLengthMax) return [];
    const path = named.exec(word.replaceAll("\\", "/"))?.[1];
    return path === undefined ? [] : [withoutScheme(path)];
  });
  const packaged = inPackage(line);
  return packaged === null ? paths : [packaged, ...paths];
}

/**
 * Strips the scheme of `webpack:///./src/a.ts`, `webpack-internal:///(rsc)/./src/a.ts`, `file:///work/a.ts`,
 * `https://host/a.js`.
 */
function withoutScheme(path: string): string {
  const scheme = /^[a-z][a-z0-9+.-]+:\/\/(?:[^/]*\/)?/i.exec(path);
  if (!scheme) return path;
  return scheme[0].toLowerCase().startsWith("file:")
    ? `/${path.slice(scheme[0].length)}`
    : path.slice(scheme[0].length);
}

/** Returns the path of a Java file in its package's folders, from `at com.acme.shop.Cart.total(Cart.java:10)`. */
function inPackage(line: string): string | null {
  const open = line.indexOf("(");
  const file = /^\(([A-Za-z_$][\w$]*\.(?:java|kt|scala|groovy))[:)]/.exec(line.slice(open, open + 200))?.[1];
  const qualified = line.slice(0, open).trim().split(/\s+/).at(-1)?.split("/").at(-1);
  if (file === undefined || qualified === undefined) return null;
  // The last two are the class and its method.
  const folders = qualified.split(".").slice(0, -2);
  return [...folders, file].join("/");
}
