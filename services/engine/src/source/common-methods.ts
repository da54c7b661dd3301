/** Names of methods so common that the name alone identifies nothing. */
const commonMethods: ReadonlySet<string> = new Set(
  "get set add has delete push pop map filter find forEach then catch finally on once emit call apply bind toString valueOf join split slice keys values entries next write end read close open test exec replace trim log error warn info debug json send append update items format strip lower upper sort copy remove insert index count put size length each new String Error Get Set Add Len Close Read Write Error equals hashCode".split(
    " ",
  ),
);

/** Returns whether built-in types have so many methods of this name that the name alone identifies nothing. */
export function isCommonMethod(name: string): boolean {
  return commonMethods.has(name);
}
