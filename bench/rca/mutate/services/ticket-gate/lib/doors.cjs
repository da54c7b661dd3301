const minuteMs = 60000;

function doorsOf(event) {
  const starts = event.starts.getTime();
  return { open: new Date(starts - event.doorsMinutes * minuteMs), close: new Date(starts + 30 * minuteMs) };
}

module.exports = { doorsOf };
