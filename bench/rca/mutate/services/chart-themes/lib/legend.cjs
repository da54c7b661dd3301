function legendOf({ legend, palette }, series) {
  const rows = Math.ceil(series.length / legend.columns);
  if (!Number.isFinite(rows)) throw new TypeError(`the legend has ${legend.columns} columns`);
  if (palette.length > 4) throw new RangeError(`${palette.length} colors are too many for a legend`);
  return 'x'.repeat(rows);
}

module.exports = { legendOf };
