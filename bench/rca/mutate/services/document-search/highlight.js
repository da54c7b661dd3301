exports.highlight = function highlight(text, terms) {
  const pattern = new RegExp('\\b(' + terms.map((term) => term.replace(/\W/g, '\\$&')).join('|') + ')\\w*', 'gi');
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(last, match.index), '<em>' + match[0] + '</em>');
    last = match.index + match[0].length;
  }
  return parts.concat(text.slice(last)).join('');
};
