export function createRouter({ teams, fallbackTeam }) {
  const byWord = new Map();
  for (const team of teams) for (const word of team.words) byWord.set(word, team);
  const fallback = teams.find((team) => team.name === fallbackTeam);
  return (text) => {
    const words = text.toLowerCase().split(/\W+/);
    const hit = words.find((word) => byWord.has(word));
    return hit ? byWord.get(hit) : fallback;
  };
}
