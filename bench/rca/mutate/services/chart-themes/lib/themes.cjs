const baseTheme = { background: '#ffffff', palette: ['#e41a1c', '#377eb8', '#4daf4a'], legend: { show: true, columns: 2 } };

function lightTheme() {
  return { ...baseTheme, palette: baseTheme.palette.slice(), legend: { ...baseTheme.legend } };
}

function darkTheme() {
  const theme = { ...baseTheme, legend: { ...baseTheme.legend } };
  theme.background = '#000000';
  theme.palette = baseTheme.palette.slice();
  theme.palette.reverse();
  return theme;
}

module.exports = { themes: { light: lightTheme, dark: darkTheme } };
