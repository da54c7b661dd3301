import type { FingerprintInput } from "../../src/failures/fingerprint.ts";

/** Two occurrences as printed, and whether they are the same failure. */
export interface FingerprintPair {
  readonly what: string;
  readonly isSame: boolean;
  readonly left: FingerprintInput;
  readonly right: FingerprintInput;
}

/** A log with this text. */
const log = (message: string): FingerprintInput => ({ service: "shop", message });

/** An error with its stack, as its runtime printed it. */
function thrown(printed: string): FingerprintInput {
  const lines = printed.split("\n");
  const [first = ""] = lines;
  const last = lines.at(-1) ?? "";
  const head = first.startsWith("Traceback") ? last : first;
  const [type = "", ...rest] = head.split(": ");
  const message = rest.join(": ");
  return { service: "shop", message, exceptions: [{ type, message, stack: printed }] };
}

const node = (head: string, ...frames: string[]): FingerprintInput =>
  thrown([head, ...frames.map((frame) => `    at ${frame}`)].join("\n"));
const java = (head: string, ...frames: string[]): FingerprintInput =>
  thrown([head, ...frames.map((frame) => `\tat ${frame}`)].join("\n"));
const python = (head: string, ...frames: string[]): FingerprintInput =>
  thrown(
    ["Traceback (most recent call last):", ...frames.map((frame) => `  File ${frame}\n    pass`), head].join("\n"),
  );

const pair =
  (isSame: boolean) =>
  (what: string, left: FingerprintInput, right: FingerprintInput): FingerprintPair => ({ what, isSame, left, right });
export const same = pair(true);
export const different = pair(false);

const nullRead = "TypeError: Cannot read properties of undefined (reading 'total')";

/** Pairs as Node, Python, and the JVM print them; names of applications are made up. */
export const fingerprintPairs: readonly FingerprintPair[] = [
  same(
    "lines moved in Node",
    node(nullRead, "totalOf (/app/src/total.js:12:31)", "checkout (/app/src/checkout.js:40:9)"),
    node(nullRead, "totalOf (/app/src/total.js:19:7)", "checkout (/app/src/checkout.js:52:11)"),
  ),
  same(
    "an ES module is printed as a URL, a CommonJS one as a path",
    node(nullRead, "totalOf (file:///srv/shop/src/total.js:12:31)"),
    node(nullRead, "totalOf (/srv/shop/src/total.js:12:31)"),
  ),
  same(
    "the image has another root",
    node(nullRead, "totalOf (/usr/src/app/src/total.js:12:31)", "checkout (/usr/src/app/src/checkout.js:1:1)"),
    node(
      nullRead,
      "totalOf (/home/deploy/shop/src/total.js:12:31)",
      "checkout (/home/deploy/shop/src/checkout.js:1:1)",
    ),
  ),
  same(
    "a release has a folder of its own",
    node(nullRead, "totalOf (/srv/releases/20260301120000/src/total.js:12:31)"),
    node(nullRead, "totalOf (/srv/releases/20260412093000/src/total.js:12:31)"),
  ),
  same(
    "it runs on Windows",
    node(nullRead, "totalOf (C:\\Users\\ada\\shop\\src\\total.js:12:31)"),
    node(nullRead, "totalOf (/Users/ada/shop/src/total.js:12:31)"),
  ),
  same(
    "awaited, a frame is printed as async",
    node("Error: no stock", "reserve (/app/src/stock.js:8:11)", "async placeOrder (/app/src/orders.js:21:5)"),
    node("Error: no stock", "reserve (/app/src/stock.js:8:11)", "placeOrder (/app/src/orders.js:21:5)"),
  ),
  same(
    "it was another member of Promise.all",
    node(
      "Error: no stock",
      "reserve (/app/src/stock.js:8:11)",
      "async Promise.all (index 0)",
      "async placeOrder (/app/src/orders.js:21:5)",
    ),
    node(
      "Error: no stock",
      "reserve (/app/src/stock.js:8:11)",
      "async Promise.all (index 17)",
      "async placeOrder (/app/src/orders.js:21:5)",
    ),
  ),
  same(
    "the runtime stands between",
    node(
      "Error: no stock",
      "reserve (/app/src/stock.js:8:11)",
      "process.processTicksAndRejections (node:internal/process/task_queues:105:5)",
      "async placeOrder (/app/src/orders.js:21:5)",
    ),
    node("Error: no stock", "reserve (/app/src/stock.js:8:11)", "async placeOrder (/app/src/orders.js:21:5)"),
  ),
  same(
    "one process is traced",
    node(
      "Error: no stock",
      "reserve (/app/src/stock.js:8:11)",
      "AsyncLocalStorage.run (node:internal/async_local_storage/async_hooks:91:14)",
      "ContextManager.with (/app/node_modules/@opentelemetry/context-async-hooks/build/src/AsyncLocalStorageContextManager.js:33:40)",
      "placeOrder (/app/src/orders.js:21:5)",
    ),
    node("Error: no stock", "reserve (/app/src/stock.js:8:11)", "placeOrder (/app/src/orders.js:21:5)"),
  ),
  same(
    "the framework was updated",
    node(
      "Error: no stock",
      "reserve (/app/src/stock.js:8:11)",
      "Layer.handle [as handle_request] (/app/node_modules/express/lib/router/layer.js:95:5)",
    ),
    node(
      "Error: no stock",
      "reserve (/app/src/stock.js:8:11)",
      "Layer.handleRequest (/app/node_modules/.pnpm/router@2.2.0/node_modules/router/lib/layer.js:152:17)",
    ),
  ),
  same(
    "the receiver is printed or not",
    node("Error: no stock", "Object.reserve (/app/src/stock.js:8:11)"),
    node("Error: no stock", "reserve (/app/src/stock.js:8:11)"),
  ),
  same(
    "a method is called by another name",
    node("Error: no stock", "Stock.reserve [as take] (/app/src/stock.js:8:11)"),
    node("Error: no stock", "Stock.reserve (/app/src/stock.js:8:11)"),
  ),
  same(
    "a bundle was built again: its hash, its columns, its minified names",
    node(nullRead, "t (/app/dist/main.8f3a2b1c.js:1:48211)", "e.checkout (/app/dist/main.8f3a2b1c.js:1:52013)"),
    node(nullRead, "n (/app/dist/main.17cc09d4.js:1:48377)", "r.checkout (/app/dist/main.17cc09d4.js:1:52240)"),
  ),
  same(
    "a Vite chunk was built again",
    node(nullRead, "totalOf (/app/dist/assets/index-BHx9kQ2a.js:3:1201)"),
    node(nullRead, "totalOf (/app/dist/assets/index-D3fPz71Q.js:3:1388)"),
  ),
  same(
    "everything is minified: the message tells it",
    node(
      "TypeError: a.b is not a function",
      "t (/app/dist/server.3f2e7c41.js:1:100)",
      "e (/app/dist/server.3f2e7c41.js:1:200)",
    ),
    node(
      "TypeError: a.b is not a function",
      "n (/app/dist/server.9d0a5b6f.js:1:150)",
      "o (/app/dist/server.9d0a5b6f.js:1:250)",
    ),
  ),
  different(
    "everything is minified, and the messages differ",
    node("Error: card was declined", "t (/app/dist/server.3f2e7c41.js:1:100)"),
    node("Error: cart is empty", "t (/app/dist/server.3f2e7c41.js:1:100)"),
  ),
  same(
    "a recursion overflowed deeper",
    node(
      "RangeError: Maximum call stack size exceeded",
      ..."abab".split("").map((name) => `walk_${name} (/app/src/tree.js:3:1)`),
    ),
    node(
      "RangeError: Maximum call stack size exceeded",
      ..."ababababab".split("").map((name) => `walk_${name} (/app/src/tree.js:3:1)`),
    ),
  ),
  different(
    "another function of the same file failed",
    node(nullRead, "totalOf (/app/src/total.js:12:31)"),
    node(nullRead, "taxOf (/app/src/total.js:12:31)"),
  ),
  different(
    "two files have the same name",
    node(nullRead, "handler (/app/src/orders/index.js:4:2)"),
    node(nullRead, "handler (/app/src/payments/index.js:4:2)"),
  ),
  different(
    "another type was thrown",
    node("TypeError: x", "f (/app/src/a.js:1:1)"),
    node("RangeError: x", "f (/app/src/a.js:1:1)"),
  ),
  different(
    "the same helper failed for two callers",
    node("Error: 404", "getJson (/app/src/http.js:4:2)", "priceOf (/app/src/prices.js:9:3)"),
    node("Error: 404", "getJson (/app/src/http.js:4:2)", "stockOf (/app/src/stock.js:9:3)"),
  ),
  different(
    "two handlers without names differ by their file",
    node(nullRead, "/app/src/routes/orders.js:4:2"),
    node(nullRead, "/app/src/routes/payments.js:4:2"),
  ),
  same(
    "lines moved in Python",
    python(
      "KeyError: 'total'",
      '"/app/shop/views.py", line 31, in checkout',
      '"/app/shop/cart.py", line 12, in total_of',
    ),
    python(
      "KeyError: 'total'",
      '"/app/shop/views.py", line 44, in checkout',
      '"/app/shop/cart.py", line 18, in total_of',
    ),
  ),
  same(
    "a virtual environment lies elsewhere",
    python(
      "ValueError: bad",
      '"/opt/venv/lib/python3.11/site-packages/flask/app.py", line 880, in full_dispatch_request',
      '"/srv/shop/shop/cart.py", line 12, in total_of',
    ),
    python(
      "ValueError: bad",
      '"/usr/local/lib/python3.13/site-packages/flask/app.py", line 917, in full_dispatch_request',
      '"/srv/shop/shop/cart.py", line 12, in total_of',
    ),
  ),
  same(
    "one Python process is traced",
    python(
      "ValueError: bad",
      '"/app/shop/views.py", line 31, in checkout',
      '"/usr/lib/python3/site-packages/ddtrace/contrib/trace_utils.py", line 334, in wrapper',
      '"/app/shop/cart.py", line 12, in total_of',
    ),
    python(
      "ValueError: bad",
      '"/app/shop/views.py", line 31, in checkout',
      '"/app/shop/cart.py", line 12, in total_of',
    ),
  ),
  different(
    "Python failed in another function",
    python("KeyError: 'total'", '"/app/shop/cart.py", line 12, in total_of'),
    python("KeyError: 'total'", '"/app/shop/cart.py", line 12, in tax_of'),
  ),
  same(
    "lines moved in Java",
    java(
      "java.lang.IllegalStateException: no stock",
      "com.acme.shop.Stock.reserve(Stock.java:41)",
      "com.acme.shop.Orders.place(Orders.java:88)",
    ),
    java(
      "java.lang.IllegalStateException: no stock",
      "com.acme.shop.Stock.reserve(Stock.java:57)",
      "com.acme.shop.Orders.place(Orders.java:90)",
    ),
  ),
  same(
    "Spring made another proxy",
    java(
      "java.lang.IllegalStateException: no stock",
      "com.acme.shop.Stock.reserve(Stock.java:41)",
      "com.acme.shop.Stock$$EnhancerBySpringCGLIB$$3f2a1b9c.reserve(<generated>)",
      "com.acme.shop.Orders.place(Orders.java:88)",
    ),
    java(
      "java.lang.IllegalStateException: no stock",
      "com.acme.shop.Stock.reserve(Stock.java:41)",
      "com.acme.shop.Stock$$SpringCGLIB$$0.reserve(<generated>)",
      "com.acme.shop.Orders.place(Orders.java:88)",
    ),
  ),
  same(
    "reflection was inflated after fifteen calls",
    java(
      "java.lang.IllegalStateException: no stock",
      "com.acme.shop.Stock.reserve(Stock.java:41)",
      "jdk.internal.reflect.GeneratedMethodAccessor57.invoke(Unknown Source)",
      "java.base/java.lang.reflect.Method.invoke(Method.java:568)",
      "com.acme.shop.Orders.place(Orders.java:88)",
    ),
    java(
      "java.lang.IllegalStateException: no stock",
      "com.acme.shop.Stock.reserve(Stock.java:41)",
      "java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)",
      "java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)",
      "com.acme.shop.Orders.place(Orders.java:88)",
    ),
  ),
  same(
    "a lambda has another number",
    java(
      "java.lang.NullPointerException",
      "com.acme.shop.Orders.lambda$place$3(Orders.java:90)",
      "com.acme.shop.Orders$$Lambda$214/0x0000000800c8a440.apply(Unknown Source)",
      "com.acme.shop.Orders.place(Orders.java:88)",
    ),
    java(
      "java.lang.NullPointerException",
      "com.acme.shop.Orders.lambda$place$5(Orders.java:97)",
      "com.acme.shop.Orders$$Lambda/0x00007f1c4c0b2a18.apply(Unknown Source)",
      "com.acme.shop.Orders.place(Orders.java:88)",
    ),
  ),
  different(
    "Java failed in another method",
    java("java.lang.NullPointerException", "com.acme.shop.Stock.reserve(Stock.java:41)"),
    java("java.lang.NullPointerException", "com.acme.shop.Stock.release(Stock.java:41)"),
  ),
  same(
    "another address refused",
    log("connect ECONNREFUSED 10.0.3.17:5432"),
    log("connect ECONNREFUSED 10.0.4.2:5433"),
  ),
  same("IPv6 refused", log("connect ECONNREFUSED ::1:6379"), log("connect ECONNREFUSED fe80::1ff:fe23:4567:890a:6379")),
  different("another errno", log("connect ECONNREFUSED 10.0.3.17:5432"), log("connect ETIMEDOUT 10.0.3.17:5432")),
  same(
    "another address of mail",
    log("could not notify ada@example.com"),
    log("could not notify bob.smith+x@mail.example.co.uk"),
  ),
  same(
    "another URL",
    log("GET https://api.example.com/v1/users/17?x=1 answered 502"),
    log("GET https://api.example.com/v1/users/99 answered 502"),
  ),
  same("another duration and unit", log("query took 1,204 ms"), log("query took 2.7s")),
  same("numbers of another country", log("amount 1.234,56 is too large"), log("amount 1,234.56 is too large")),
  same(
    "another user's words",
    log('comment "I love it" was refused'),
    log('comment "Das ist schön, danke!" was refused'),
  ),
  same("quotes of another language", log("Datei „Rechnung März.pdf“ fehlt"), log("Datei „Angebot.pdf“ fehlt")),
  same(
    "another place in JSON",
    log("Unexpected token < in JSON at position 0"),
    log("Unexpected token a in JSON at position 1731"),
  ),
  same(
    "another text that is no JSON",
    log(`Unexpected token 'h', "hello" is not valid JSON`),
    log(`Unexpected token '<', "<!DOCTYPE "... is not valid JSON`),
  ),
  different("another column", log('column "user_id" does not exist'), log('column "order_id" does not exist')),
  different("another relation", log('relation "orders" does not exist'), log('relation "users" does not exist')),
  different(
    "another property",
    log("Cannot read properties of undefined (reading 'total')"),
    log("Cannot read properties of undefined (reading 'price')"),
  ),
  different("another module", log("Cannot find module 'left-pad'"), log("Cannot find module 'pg-native'")),
  different(
    "another setting",
    log("missing environment variable `DATABASE_URL`"),
    log("missing environment variable `REDIS_URL`"),
  ),
  same(
    "another id",
    log("order 019aa5c0-3f2e-7c41-9d0a-5b6f7e8d9c01 is gone"),
    log("order 5b6f7e8d-9c01-4c41-8d0a-019aa5c03f2e is gone"),
  ),
  same(
    "another key of a payment service",
    log("no such charge: ch_3MmlLrLkdIwHu7ix0uke3Ezy"),
    log("no such charge: ch_1Nv0Fk2eZvKYlo2CXq7rT0aP"),
  ),
  same(
    "another Mongo id",
    log("document 507f1f77bcf86cd799439011 not found"),
    log("document 65a3c0d1e4b0a1f2c3d4e5f6 not found"),
  ),
  same(
    "another file of a user",
    log("ENOENT: no such file or directory, open '/data/uploads/17/photo.png'"),
    log("ENOENT: no such file or directory, open '/data/uploads/9024/cat.jpeg'"),
  ),
  same(
    "another time",
    log("token expired at 2026-03-01T12:00:00Z"),
    log("token expired at 2026-04-30 08:15:22.123+02:00"),
  ),
  same("values by name", log("retrying user=ada attempt=3 wait=200ms"), log("retrying user=bob attempt=11 wait=1.6s")),
  different("a code by name", log("upstream failed code=ECONNRESET"), log("upstream failed code=EPIPE")),
  same(
    "printed with its stack by a logger",
    log("Error: no stock\n    at reserve (/app/src/stock.js:8:11)\n    at placeOrder (/app/src/orders.js:21:5)"),
    log("Error: no stock\n    at reserve (/app/src/stock.js:9:11)\n    at placeOrder (/app/src/orders.js:30:5)"),
  ),
  different("two texts", log("payment failed"), log("refund failed")),
];
