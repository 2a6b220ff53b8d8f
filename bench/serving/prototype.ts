// The limit: node:http that serves the same compressed bytes from memory.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { SVC_PORT, BENCH_BODY, BENCH_ETAG } = process.env
const body = readFileSync(BENCH_BODY!)
const etag = BENCH_ETAG!

createServer((request, response) => {
  if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
  else
    response
      .writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-encoding': 'br',
        'content-length': body.length,
        etag,
      })
      .end(body)
}).listen(Number(SVC_PORT), '127.0.0.1', () => console.log('ready'))
