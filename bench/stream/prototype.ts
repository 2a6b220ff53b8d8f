// The limit: node:http with only the streams. A POST is the switch: it is answered, then each stream gets the event.
import { createServer, type ServerResponse } from 'node:http'

const streams = new Set<ServerResponse>()
let revision = 0

const frame = () => Buffer.from(`id: ${revision}\ndata: {"type":"refetchEvaluation","etag":"${'e'.repeat(70)}"}\n\n`)

createServer((request, response) => {
  if (request.method === 'POST') {
    revision += 1
    response.end(JSON.stringify({ revision }))
    const bytes = frame()
    for (const stream of streams) stream.write(bytes)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame())
  streams.add(response)
  response.once('close', () => streams.delete(response))
}).listen(Number(process.env.SVC_PORT), '127.0.0.1', () => console.log('ready'))
