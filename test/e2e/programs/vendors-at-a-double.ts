import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";

/**
 * Loaded before the server: resolves the vendors' names to a test double, at addresses that the server itself looks up
 * and checks. Nothing else about a connection changes, including TLS.
 */
const names = (process.env.VENDOR_NAMES ?? "").split(",");
const port = Number(process.env.VENDOR_PORT);
const { lookup } = dns;
const { connect } = Socket.prototype;

Object.assign(dns, {
  lookup(hostname: string, ...rest: unknown[]) {
    return Reflect.apply(lookup, dns, [names.includes(hostname) ? "127.0.0.1" : hostname, ...rest]);
  },
});
Object.assign(Socket.prototype, {
  connect(this: Socket, first: unknown, ...rest: unknown[]) {
    const isVendor = isAddress(first) && names.includes(first.host);
    return Reflect.apply(connect, this, [isVendor ? { ...first, port } : first, ...rest]);
  },
});
syncBuiltinESMExports();

function isAddress(value: unknown): value is { readonly host: string } {
  return typeof value === "object" && value !== null && "host" in value && typeof value.host === "string";
}
