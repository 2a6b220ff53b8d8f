// Answers every POST with 204 over kept HTTPS connections, as cheaply as possible, and prints its port. A GET returns
// the arrival times since the last GET, by delivery id, in nanoseconds of the clock that all processes of a machine share.
import { createServer } from 'node:https'

let arrivals: [id: unknown, atNs: string][] = []

const server = createServer({ key: process.env.BENCH_KEY, cert: process.env.BENCH_CERT }, (request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(arrivals))
    arrivals = []
    return
  }
  if (request.url?.startsWith('/timed/'))
    arrivals.push([request.headers['x-svc-delivery-id'], String(process.hrtime.bigint())])
  request.resume()
  request.on('end', () => response.writeHead(204).end())
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})
