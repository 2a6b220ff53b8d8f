// Answers every POST over kept HTTPS connections, as cheaply as possible, and prints its port. A GET returns the arrival
// times since the last GET, in nanoseconds of the clock that all processes of a machine share: of /timed by delivery id,
// of /chat by path and the number of the change in the message.
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'

let arrivals: [id: unknown, atNs: string][] = []

const server = createServer({ key: process.env.BENCH_KEY, cert: process.env.BENCH_CERT }, (request, response) => {
  const { method, url = '' } = request
  if (method === 'GET') {
    response.end(JSON.stringify(arrivals))
    arrivals = []
    return
  }
  const atNs = String(process.hrtime.bigint())
  if (url.startsWith('/chat/')) return chat(url, atNs)
  if (url.startsWith('/timed/')) arrivals.push([request.headers['x-svc-delivery-id'], atNs])
  request.resume()
  request.on('end', () => response.writeHead(204).end())

  function chat(path: string, at: string): void {
    void text(request).then((body) => {
      // A dead chat takes the request and never answers.
      if (path === '/chat/dead') return
      if (path === '/chat/limited') return response.writeHead(429, { 'retry-after': '30' }).end()
      // A message names the flag more than once, and a folded one several flags.
      const changes = new Set([...body.matchAll(/change-(\d+)-/g)].map(([, change]) => change))
      for (const change of changes) arrivals.push([`${path} ${change}`, at])
      response.end('ok')
    })
  }
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})
