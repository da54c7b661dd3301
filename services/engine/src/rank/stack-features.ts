import type { LocatedFrame } from "../findings/located-frame.ts";
import { lastName } from "../source/anchor.ts";
import { packageOf } from "../source/installed-package.ts";
import type { FailureView, FileView, StackEntry } from "./file-view.ts";

/** Test files, as the model is trained on them. Elsewhere, `source/test-file.ts` decides. */
const testFile =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing)\/|(?:^|\/)(?:test_[^/]*\.py|conftest\.py|[^/]*[._-](?:test|spec)s?\.\w+|[^/]*Tests?\.java)$/;

/** Returns a file's place on the stack: among all files, the project's, and those of the package that was called. */
export function stackFeatures(
  view: FileView,
  { stack, project }: FailureView,
  files: readonly FileView[],
): Record<string, number> {
  const own = files.filter(({ name }) => project.has(name));
  const called = calledPackage(stack);
  const ofCalled =
    called === "" ? [] : files.filter(({ frames }) => frames.some((frame) => printedPackage(frame) === called));
  const rank = files.indexOf(view);
  const ownRank = own.indexOf(view);
  const entries = stack.filter((entry) => entry.view === view);
  const first = stack.findIndex((entry) => entry.view === view);
  const top = files[0];
  const size = entries[0]?.function ? entries[0].function.end - entries[0].function.start : 0;
  return {
    onStack: Number(rank >= 0),
    stackRank: reciprocal(rank),
    stackTop: Number(rank === 0),
    stackSecond: Number(rank === 1),
    frameRank: reciprocal(first),
    frameShare: stack.length === 0 ? 0 : entries.length / stack.length,
    ownRank: reciprocal(ownRank),
    ownFirst: Number(ownRank === 0),
    ownSecond: Number(ownRank === 1),
    calledRank: reciprocal(ofCalled.indexOf(view)),
    outermost: Number(rank >= 0 && rank === files.length - 1),
    outermostOwn: Number(ownRank >= 0 && ownRank === own.length - 1),
    isProject: Number(project.has(view.name)),
    isInstalled: Number(isInstalled(view, project.has(view.name))),
    isTest: Number(testFile.test(view.name)),
    isModuleLevel: Number(entries.length > 0 && entries.every(({ frame }) => isModuleLevel(frame))),
    anchored: shareOf(
      entries.map(({ frame }) => frame),
      isAtItsFunction,
    ),
    samePackage: Number(top !== undefined && packageOf(top.name) === packageOf(view.name)),
    sameFolder: Number(top !== undefined && folderOf(top.name) === folderOf(view.name)),
    functionSize: Math.log1p(size),
  };
}

/** Returns whether the code at a frame's line is in the printed function; if not, it is of another version. */
export function isAtItsFunction({ frame, place }: LocatedFrame): boolean {
  if (place === null) return false;
  return lastName(frame.function) === null || lastName(frame.function) === lastName(place.function);
}

export function shareOf<T>(all: readonly T[], isIt: (one: T) => boolean): number {
  return all.filter(isIt).length / Math.max(1, all.length);
}

/**
 * Returns the installed package that the application called: that of the frame right above the application's innermost
 * one, or of the outermost frame. Empty when the application itself failed.
 */
function calledPackage(stack: readonly StackEntry[]): string {
  const own = stack.findIndex(({ frame }) => frame.frame.origin === "app");
  const called = own < 0 ? stack.at(-1) : stack[own - 1];
  return called ? printedPackage(called.frame) : "";
}

function printedPackage({ frame, file }: LocatedFrame): string {
  return packageOf(frame.file ?? file);
}

/** Returns whether a frame is at the level of a module, outside any function. */
export function isModuleLevel({ frame }: LocatedFrame): boolean {
  return frame.function === null || /^<|^Object\.<anonymous>$|^main(?:\.main)?$/.test(frame.function);
}

function isInstalled({ name, frames }: FileView, isOfProject: boolean): boolean {
  return packageOf(name) !== "" || (!isOfProject && frames.some(({ frame }) => frame.origin === "dependency"));
}

function reciprocal(rank: number): number {
  return rank < 0 ? 0 : 1 / (1 + rank);
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}
