import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { encodingFor } from '../negotiation.ts'
import { isApi } from './headers.ts'

const minBytes = 8_192
/** Quick: higher qualities take several times as long for a few percent. */
const brotliQuality = 4

const compressed = {
  br: (text: string) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (text: string) => promisify(gzip)(text),
}

/**
 * Compresses large answers of the API to reads. Answers to writes stay as they are: one of them can show a secret next
 * to text of the caller, and its compressed size would reveal something about the secret. `Vary` is not needed, because
 * no cache keeps these answers.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLarge = typeof payload === 'string' && payload.length >= minBytes
    if (!isLarge || request.method !== 'GET' || !isApi(request.url)) return done(null, payload)
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding === 'identity') return done(null, payload)
    reply.header('content-encoding', encoding)
    compressed[encoding](payload).then((bytes) => done(null, bytes), done)
  })
}
