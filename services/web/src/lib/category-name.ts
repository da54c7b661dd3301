/** Returns a category in words: "Null dereference" for `null-dereference`. */
export function categoryName(category: string): string {
  const words = category.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
