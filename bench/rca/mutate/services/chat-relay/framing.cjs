const headerBytes = 4;

exports.encode = function encode(message) {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  const frame = Buffer.alloc(headerBytes + body.length);
  frame.writeUInt32BE(body.length, 0);
  body.copy(frame, headerBytes);
  return frame;
};

exports.Framer = class Framer {
  constructor(maxBytes) {
    this.maxBytes = maxBytes;
    this.rest = Buffer.alloc(0);
  }

  push(chunk) {
    this.rest = Buffer.concat([this.rest, chunk]);
    const messages = [];
    while (this.rest.length >= headerBytes) {
      const length = this.rest.readUInt32BE(0);
      if (length > this.maxBytes) throw new RangeError(`a frame of ${length} bytes`);
      if (this.rest.length < headerBytes + length) break;
      const body = this.rest.subarray(headerBytes, headerBytes + length);
      messages.push(JSON.parse(body.toString('utf8')));
      this.rest = this.rest.subarray(headerBytes + length);
    }
    return messages;
  }
};
