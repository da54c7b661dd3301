const titleBoost = 2.5;
const saturation = 1.2;

exports.score = function score(entry, { length, matching, total }) {
  const frequency = entry.positions.length / length;
  const rarity = Math.log(1 + total / matching);
  const base = (frequency * (saturation + 1)) / (frequency + saturation);
  return base * rarity * (entry.inTitle ? titleBoost : 1);
};
