const lineLength = 76;

const encodeWord = (text) => (/^[\x20-\x7e]*$/.test(text) ? text : '=?utf-8?B?' + Buffer.from(text, 'utf8').toString('base64') + '?=');

function wrap(text) {
  return text.match(new RegExp('.{1,' + lineLength + '}', 'g')).join('\r\n');
}

exports.compose = function compose({ from, to, subject, text, attachment }) {
  const boundary = 'b' + to.length + subject.length;
  const headers = ['From: ' + from, 'To: ' + to, 'Subject: ' + encodeWord(subject), 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=' + boundary];
  const parts = [['text/plain; charset=utf-8', Buffer.from(text, 'utf8')]];
  if (attachment) parts.push(['application/pdf', attachment]);
  const body = parts.map(([type, content]) => ['--' + boundary, 'Content-Type: ' + type, 'Content-Transfer-Encoding: base64', '', wrap(content.toString('base64'))].join('\r\n'));
  return headers.join('\r\n') + '\r\n\r\n' + body.join('\r\n') + '\r\n--' + boundary + '--';
};

exports.addressOf = (text) => {
  const match = /<([^>]+)>/.exec(text);
  const address = match ? match[1] : text;
  if (address.indexOf('@') < 1) throw new TypeError('not an address: ' + text);
  return address;
};
