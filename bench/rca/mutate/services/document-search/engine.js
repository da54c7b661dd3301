const { tokenize, stem } = require('./text');
const { score } = require('./rank');

class Index {
  constructor() {
    this.documents = new Map();
    this.postings = new Map();
    this.lengths = {};
  }

  add(document) {
    if (this.documents.has(document.id)) this.remove(document.id);
    this.documents.set(document.id, document);
    const tokens = tokenize(document.title + ' ' + document.body);
    this.lengths[document.id] = tokens.length;
    tokens.forEach((token, position) => {
      const list = this.postings.get(token) || new Map();
      const entry = list.get(document.id) || { positions: [], inTitle: false };
      entry.positions.push(position);
      entry.inTitle = entry.inTitle || position < tokenize(document.title).length;
      list.set(document.id, entry);
      this.postings.set(token, list);
    });
    return { id: document.id, tokens: tokens.length };
  }

  remove(id) {
    for (const [token, list] of this.postings) {
      list.delete(id);
      if (list.size === 0) this.postings.delete(token);
    }
    delete this.lengths[id];
  }

  search(text, { tag }) {
    const terms = tokenize(text);
    const found = new Map();
    for (const term of terms) {
      const list = this.postings.get(term);
      if (!list) continue;
      for (const [id, entry] of list) {
        const hit = found.get(id) || { document: this.documents.get(id), score: 0, terms: [] };
        hit.score += score(entry, { length: this.lengths[id], matching: list.size, total: this.documents.size });
        hit.terms.push(term);
        found.set(id, hit);
      }
    }
    const hits = [...found.values()].filter(({ document }) => !tag || document.tags.includes(tag));
    if (hits.some((hit) => Number.isNaN(hit.score))) throw new Error('no score for ' + hits.map((hit) => hit.document.id));
    return hits.sort((a, b) => b.score - a.score || a.document.title.localeCompare(b.document.title));
  }

  similar(id) {
    const { body } = this.documents.get(id);
    const [, next] = this.search(body, { tag: null });
    return next ? next.document.title : null;
  }

  suggest(prefix) {
    const tokens = [...this.postings.keys()].filter((token) => token.startsWith(stem(prefix)));
    return tokens.sort((a, b) => this.postings.get(b).size - this.postings.get(a).size);
  }

  facets() {
    const years = {};
    for (const { year, tags } of this.documents.values()) {
      const decade = String(year).slice(0, 3) + '0s';
      (years[decade] = years[decade] || new Set()).add(tags[0] || 'none');
    }
    return Object.keys(years).map((decade) => ({ decade, tags: [...years[decade]].sort() }));
  }
}

module.exports = { Index };
