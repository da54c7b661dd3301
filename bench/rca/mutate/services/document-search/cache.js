class Cache {
  constructor(size) {
    this.size = size;
    this.entries = new Map();
  }

  through(key, load) {
    if (this.entries.has(key)) return Promise.resolve(this.entries.get(key));
    return Promise.resolve(load()).then((value) => {
      if (this.entries.size >= this.size) this.entries.delete(this.entries.keys().next().value);
      this.entries.set(key, value);
      return value;
    });
  }

  clear() {
    this.entries.clear();
  }
}

module.exports = { Cache };
