const expected = { light: '#ffffff', dark: '#000000' };

function contrast(background, theme) {
  if (background !== expected[theme]) throw new RangeError(`the ${theme} theme has the background ${background}`);
}

module.exports = { contrast };
