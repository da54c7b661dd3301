export default function handler(): never {
  throw new Error("the old way is closed");
}
