// Answers every POST with 204 over kept HTTPS connections, as cheaply as it can; prints its port.
import { createServer } from 'node:https'

const server = createServer({ key: process.env.BENCH_KEY, cert: process.env.BENCH_CERT }, (request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(204).end())
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})
