/** A part of a model as it is stored. */
export const partBytes = 1024 * 1024

/** Bytes in parts, in order. */
export function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += partBytes) yield bytes.subarray(from, from + partBytes)
}
