const { themes } = require('./themes.cjs');

function optionsFor({ theme, palette, legend }) {
  const options = themes[theme]();
  options.name = theme;
  if (palette) options.palette.unshift(...palette);
  if (legend === false) delete options.legend.columns;
  return options;
}

module.exports = { optionsFor };
