// Receives webhooks: verifies each request, answers at once and acts once per delivery. Press Ctrl-C to stop.
//   WEBHOOK_SECRET=… node examples/webhooks/receiver.mjs
// It listens for plain HTTP on this machine. Put your TLS proxy in front of it.
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookVerificationError } from '@svc/sdk/webhooks'

const { WEBHOOK_SECRET, PORT = '8080' } = process.env
const bodyLimitBytes = 5_000_000
const rememberedIds = 10_000

if (!WEBHOOK_SECRET) {
  console.error(
    'Set WEBHOOK_SECRET to the secret of the webhook. During a rotation, set both secrets, separated by a comma.',
  )
  process.exit(1)
}

const secrets = WEBHOOK_SECRET.split(',')
const seen = new Set()

const server = createServer(async (request, response) => {
  const status = await receive(request).catch(() => 500)
  response.writeHead(status).end()
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`))
process.once('SIGINT', () => server.close())
process.once('SIGTERM', () => server.close())

async function receive(request) {
  if (request.method !== 'POST') return 405
  const isFit = Number(request.headers['content-length']) <= bodyLimitBytes
  if (!isFit) return 413
  try {
    const delivery = await verifyWebhook(await buffer(request), request.headers, secrets)
    if (remember(delivery.id)) setImmediate(act, delivery)
    return 204
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.error(`refused: ${error.code}`)
    return 401
  }
}

// In production, store the ids in a database with the id as the key, so that they survive a restart.
function remember(id) {
  if (seen.has(id)) return false
  seen.add(id)
  if (seen.size > rememberedIds) seen.delete(seen.values().next().value)
  return true
}

function act({ id, event, payload }) {
  console.log(`${event} ${id} ${JSON.stringify(payload.project?.name ?? null)}`)
}
