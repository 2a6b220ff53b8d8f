import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from '../../../negotiation.ts'

const brotliQuality = 6
const compress = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
  identity: async (bytes: Buffer) => bytes,
}

/** Compresses a file on the first request of each encoding. The result is a promise only while compressing. */
export function compressed(bytes: () => Buffer): (encoding: Encoding) => Buffer | Promise<Buffer> {
  const bodies = new Map<Encoding, Buffer | Promise<Buffer>>()
  return (encoding) => {
    const made = bodies.get(encoding)
    if (made) return made
    const making = compress[encoding](bytes()).then((body) => {
      bodies.set(encoding, body)
      return body
    })
    bodies.set(encoding, making)
    return making
  }
}
