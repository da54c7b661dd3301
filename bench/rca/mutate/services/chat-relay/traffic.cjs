const { createRelay } = require('./relay.cjs');
const { connect } = require('./client.cjs');

const relay = createRelay({ historyLimit: 3, maxLine: 400 });
relay.on('fault', (error, who) => console.error('[relay] %s', who, error));

// Whoever waits for an answer that never comes must not keep the process alive.
setTimeout(() => process.exit(1), 1500).unref();

relay.listen(async (port) => {
  try {
    const ada = await connect(port, 'ada');
    const bo = await connect(port, 'bo');
    await ada.send('join', { room: 'tea' });
    await bo.send('join', { room: 'tea' });
    for (const text of ['hi', 'who likes *oolong*?', '/me pours', 'bye @bo']) await ada.send('say', { room: 'tea', text });
    const { lines } = await bo.send('history', { room: 'tea' });
    if (lines && lines.at(-1).text.length < 3) throw new Error('the last line is too short');
    await bo.send('rename', { name: 'bob' });
    await bo.send('who', { room: 'tea' });
    await ada.send('leave', { room: 'tea' });
    await bo.send('stats', {});
    ada.close();
    bo.close();
  } catch (error) {
    console.error('[client]', error);
  } finally {
    relay.close();
  }
});
