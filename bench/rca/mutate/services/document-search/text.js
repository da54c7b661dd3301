const stopWords = new Set(['a', 'and', 'how', 'in', 'its', 'it', 'the', 'on', 'what']);

exports.tokenize = function tokenize(text) {
  return text
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    .filter((word) => !stopWords.has(word))
    .map(exports.stem);
};

exports.stem = function stem(word) {
  if (word.endsWith('ies')) return word.slice(0, -3) + 'y';
  if (word.endsWith('es') && word.length > 4) return word.slice(0, -2);
  if (word.endsWith('ing') && word.length > 5) return word.slice(0, -3);
  return word.endsWith('s') ? word.slice(0, -1) : word;
};
