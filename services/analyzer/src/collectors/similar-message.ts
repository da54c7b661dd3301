import { namesInRuntimeMessage } from "@whence/engine";

/** Two messages are similar when this share of their words is the same, not counting those with digits (Jaccard index). */
const likenessMin = 0.7;
const wordsMin = 3;

/**
 * Returns whether two messages are similar. Programs of other services say what a runtime says in the same words, so
 * there such a message is similar only if both name the same thing.
 */
export function isSimilarMessage(left: string, right: string, isSameService: boolean): boolean {
  if (likeness(left, right) < likenessMin) return false;
  if (isSameService) return true;
  const [ours, theirs] = [namesInRuntimeMessage(left), namesInRuntimeMessage(right)];
  if (ours === null && theirs === null) return true;
  return ours?.some((name) => theirs?.includes(name)) ?? false;
}

function likeness(left: string, right: string): number {
  const [ours, theirs] = [wordsOf(left), wordsOf(right)];
  if (ours.size < wordsMin || theirs.size < wordsMin) return 0;
  const common = [...ours].filter((word) => theirs.has(word)).length;
  return common / (ours.size + theirs.size - common);
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}_]+/u)
      .filter((word) => word !== "" && !/\d/.test(word)),
  );
}
