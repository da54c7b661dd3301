import tls from "node:tls";

/** Loaded before a server process: leads its connections to SNS to the double on this machine. */
const connect = tls.connect.bind(tls);
const port = Number(process.env.AMAZON_PORT);

function connectNearby(options: tls.ConnectionOptions): tls.TLSSocket {
  const isAmazon = options.servername?.endsWith(".amazonaws.com") ?? false;
  return connect(isAmazon ? { ...options, host: "127.0.0.1", port } : options);
}

Object.assign(tls, { connect: connectNearby });
