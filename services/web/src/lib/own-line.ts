/** Returns a clause as it stands on a line of its own: with a capital letter, but a name in code keeps its case. */
export function ownLine(clause: string): string {
  return /^[a-z]+(?![\w.(/:@-])/.test(clause) ? clause.charAt(0).toUpperCase() + clause.slice(1) : clause;
}
