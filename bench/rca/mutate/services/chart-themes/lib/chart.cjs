const { optionsFor } = require('./options.cjs');
const { contrast } = require('./contrast.cjs');
const { legendOf } = require('./legend.cjs');

function drawChart(chart) {
  const options = optionsFor(chart);
  const colors = chart.series.map((_, index) => options.palette[index]);
  contrast(options.background, options.name);
  return `${chart.title}: ${colors.join(' ')} ${chart.legend === false ? '' : legendOf(options, chart.series)}`;
}

module.exports = { drawChart };
