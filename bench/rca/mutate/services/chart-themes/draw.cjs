const { drawChart } = require('./lib/chart.cjs');

const charts = [
  { title: 'Sales', series: [3, 1, 2], theme: 'light' },
  { title: 'Sales in the dark', series: [3, 1, 2], theme: 'dark', palette: ['#111'] },
  { title: 'Stock', series: [5, 4], theme: 'light', legend: false },
  { title: 'Returns', series: [1, 1, 1], theme: 'light' },
  { title: 'Visits', series: [9], theme: 'dark' },
  { title: 'Visits again', series: [9, 8], theme: 'light' },
];
for (const chart of charts) console.log(drawChart(chart));
