import type { Signature } from "../../findings.ts";

export const rust: readonly Signature[] = [
  {
    id: "rust.unwrap-none",
    category: "null-dereference",
    match: { message: ["called `Option::unwrap()` on a `None` value", "called `Option::unwrap()` on a `None`"] },
    meaning: "An Option was unwrapped that holds nothing.",
    seenIfTrue: "the lookup before finds nothing for the failing input",
    seenIfFalse: "another thread took the value",
    shortTerm: "Handle None there (`?` with `ok_or`, `if let`).",
    longTerm: "Deny `clippy::unwrap_used` outside of tests.",
    url: "https://doc.rust-lang.org/std/option/enum.Option.html#method.unwrap",
  },
  {
    id: "rust.unwrap-err",
    category: "unhandled-rejection",
    match: {
      message: ["called `Result::unwrap()` on an `Err` value: {error}", "called `Result::expect()` on an `Err` value"],
    },
    meaning: "An error was unwrapped instead of handled: {error}.",
    seenIfTrue: "the error that is printed is the cause",
    seenIfFalse: "the error is expected to be impossible, and a bug made it",
    shortTerm: "Read the printed error and solve it; return it with `?` instead of unwrapping.",
    longTerm: "Deny `clippy::unwrap_used` outside of tests.",
    url: "https://doc.rust-lang.org/std/result/enum.Result.html#method.unwrap",
  },
  {
    id: "rust.index",
    category: "boundary",
    match: {
      message: [
        "index out of bounds: the len is {length} but the index is {index}",
        "range end index {index} out of range for slice of length {length}",
        "range start index {index} out of range for slice of length {length}",
        "byte index {index} is not a char boundary",
        "slice index starts at {index} but ends at",
      ],
    },
    meaning: "The index {index} lies outside the slice (length {length}), or inside a character.",
    seenIfTrue: "the slice is shorter for the failing input, or a text is cut by bytes",
    seenIfFalse: "the length is larger",
    shortTerm: "Use `get`, and handle the missing element; cut texts at `char_indices`.",
    longTerm: "Iterate instead of indexing, and fuzz with short input.",
    url: "https://doc.rust-lang.org/std/primitive.slice.html#method.get",
  },
  {
    id: "rust.overflow",
    category: "boundary",
    match: {
      message: [
        "attempt to add with overflow",
        "attempt to subtract with overflow",
        "attempt to multiply with overflow",
        "attempt to divide by zero",
        "attempt to calculate the remainder with a divisor of zero",
      ],
    },
    meaning: "An arithmetic operation left the range of its type.",
    seenIfTrue: "the operands at that line are near the type's end (0 for unsigned subtraction)",
    seenIfFalse: "they are small",
    shortTerm: "Use `checked_sub`, `saturating_sub` or a wider type.",
    longTerm: "Keep `overflow-checks = true` in the release profile, and test both ends.",
    url: "https://doc.rust-lang.org/book/ch03-02-data-types.html#integer-overflow",
  },
  {
    id: "rust.borrow",
    category: "concurrency",
    match: {
      message: [
        "already mutably borrowed: BorrowError",
        "already borrowed: BorrowMutError",
        "RefCell already borrowed",
        "RefCell already mutably borrowed",
        "PoisonError",
        "poisoned lock: another task failed inside",
      ],
    },
    meaning: "A value was borrowed twice at run time, or a lock's holder panicked before.",
    seenIfTrue: "a borrow lives across a call that borrows again; or an earlier panic stands in the log",
    seenIfFalse: "only one borrow is open",
    shortTerm: "End the first borrow before the second (a smaller block); for a poisoned lock read the first panic.",
    longTerm: "Pass values instead of sharing them, and do not hold borrows across calls.",
    url: "https://doc.rust-lang.org/std/cell/struct.RefCell.html",
  },
  {
    id: "rust.no-runtime",
    category: "bad-config",
    match: {
      message: [
        "there is no reactor running, must be called from the context of a Tokio 1.x runtime",
        "Cannot start a runtime from within a runtime",
        "Cannot drop a runtime in a context where blocking is not allowed",
      ],
    },
    meaning: "Asynchronous code runs without its runtime, or starts one inside another.",
    seenIfTrue: "the call runs in a plain thread, or `block_on` inside an async function",
    seenIfFalse: "one runtime runs everything",
    shortTerm:
      "Run it on the runtime (`#[tokio::main]`, `Handle::spawn`), and use `spawn_blocking` for blocking calls.",
    longTerm: "Keep one runtime for the program.",
    url: "https://docs.rs/tokio/latest/tokio/runtime/",
  },
];
