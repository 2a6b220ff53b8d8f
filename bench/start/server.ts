// The limit of a program in Node: it listens, and does nothing else.
import { createServer } from 'node:http'

createServer((_request, response) => response.end()).listen(Number(process.env.SVC_PORT), '127.0.0.1', () =>
  console.log('ready'),
)
