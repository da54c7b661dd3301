import { createHash } from "node:crypto";
import { filesOfDiff, type NamedRelease, type Patch, patchedPath, withDiff } from "@whence/protocol";
import type { CodeHost, HostedBranch, HostedFile } from "@whence/vendors";
import { pathRoots } from "../code-hosts/path-roots.ts";
import { analyzerErrors } from "../errors.ts";

/** Source code is smaller. */
const fileBytesMax = 1_048_576;
const byteOrderMark = "\uFEFF";

type ReadFile = Extract<HostedFile, { readonly outcome: "read" }>;

/** The branch that a patch is for. */
export interface PatchBase {
  readonly host: CodeHost;
  readonly repository: string;
  readonly branch: HostedBranch;
  /** The release that the patch was made for; null when the report doesn't name one. */
  readonly release: NamedRelease | null;
}

/** A file of the branch with its part of a patch applied. */
export interface PatchedFile {
  /** Its path in the repository. */
  readonly path: string;
  /** With its byte order mark. */
  readonly text: string;
  /** Whether the branch has exactly the text that the patch was made for. */
  readonly isSame: boolean;
}

/** Returns the files of a patch as it changes them on a branch; throws why it doesn't apply there, without fuzz. */
export async function patchedFiles(base: PatchBase, patch: Patch, signal: AbortSignal): Promise<PatchedFile[]> {
  const parts = new Map(filesOfDiff(patch.diff).map(({ path, part }) => [path, part]));
  const files: PatchedFile[] = [];
  for (const changed of patch.files) {
    const path = patchedPath(changed) ?? changed.file;
    files.push(await patchedFile(base, { ...changed, path, part: parts.get(path) ?? "" }, signal));
  }
  return files;
}

interface FilePatch {
  /** Its name in the report. */
  readonly file: string;
  /** Its path in the diff. */
  readonly path: string;
  readonly sha256: string;
  readonly part: string;
}

async function patchedFile(base: PatchBase, patch: FilePatch, signal: AbortSignal) {
  const { repository, branch } = base;
  const { file, sha256, part } = patch;
  const { path, content } = await fileAt(base, patch, signal);
  if (content.outcome === "absent")
    throw analyzerErrors.create("WHENCE_ERR_PATCH_FILE_MISSING", [repository, file, branch.name]);
  if (content.outcome !== "read")
    throw analyzerErrors.create("WHENCE_ERR_PATCH_FILE_NOT_TEXT", [path, branch.name, fileBytesMax]);
  const { text } = content;
  const changed = withDiff(text, part);
  if (changed !== null)
    return { path, text: wholeText({ ...content, text: changed }), isSame: digestOf(text) === sha256 };
  if (text.includes("\r\n") && withDiff(text.replaceAll("\r\n", "\n"), part) !== null)
    throw analyzerErrors.create("WHENCE_ERR_PATCH_LINE_ENDINGS", [path, branch.name]);
  const release = await releaseWith(base, path, sha256, signal);
  if (release !== null) throw analyzerErrors.create("WHENCE_ERR_PATCH_OUTDATED", [path, branch.name, release]);
  throw analyzerErrors.create("WHENCE_ERR_PATCH_CODE_DIFFERS", [path, repository]);
}

/** Returns a file's text with its byte order mark. */
export function wholeText({ text, hasByteOrderMark }: ReadFile): string {
  return hasByteOrderMark === true ? byteOrderMark + text : text;
}

/**
 * Returns the file of the repository that a program names: the one at the patch's path if it has the patch's text, as
 * that path may be of a folder of the repository; else the one whose path ends most like the program's.
 */
async function fileAt(
  base: PatchBase,
  { file, path, sha256 }: FilePatch,
  signal: AbortSignal,
): Promise<{ readonly path: string; readonly content: HostedFile }> {
  const { host, repository, branch } = base;
  const content = await read(base, branch.commitId, path, signal);
  if (content.outcome === "read" && digestOf(content.text) === sha256) return { path, content };
  const [root] = pathRoots([file], await host.paths(repository, branch.commitId, signal));
  if (!root) return { path, content };
  const mapped = `${root.to}${file.slice(root.from.length)}`.replaceAll("\\", "/");
  return { path: mapped, content: await read(base, branch.commitId, mapped, signal) };
}

/** Returns the release's name at the host when the file had the text of the patch there; null otherwise. */
async function releaseWith(base: PatchBase, path: string, sha256: string, signal: AbortSignal): Promise<string | null> {
  const commit = base.release && (await base.host.findCommit(base.repository, base.release, signal));
  if (!commit) return null;
  const content = await read(base, commit.id, path, signal);
  return content.outcome === "read" && digestOf(content.text) === sha256 ? commit.name : null;
}

function read({ host, repository }: PatchBase, id: string, path: string, signal: AbortSignal): Promise<HostedFile> {
  return host.read({ repository, commit: { name: id, id }, path }, fileBytesMax, signal);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
