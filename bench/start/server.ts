// The limit of a Node program: it only listens.
import { createServer } from 'node:http'

createServer((_request, response) => response.end()).listen(Number(process.env.SVC_PORT), '127.0.0.1', () =>
  console.log('ready'),
)
