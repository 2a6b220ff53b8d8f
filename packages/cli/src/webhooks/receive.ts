import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookVerificationError } from '@svc/sdk/webhooks'
import { Problem, usage } from '../problem.ts'
import type { Session } from '../session.ts'

const maxBodyBytes = 1024 * 1024

/** Takes deliveries on this machine, verifies them and prints the verdict, until Ctrl-C. */
export async function receive({ output, world }: Session, port: number): Promise<void> {
  const secret = world.env.SVC_WEBHOOK_SECRET
  if (!secret) throw usage('SVC_WEBHOOK_SECRET is required: the secret of the webhook, which the service showed once.')
  const verdict = async (body: Buffer, headers: NodeJS.Dict<string | string[]>) => {
    try {
      const { event, id, payload } = await verifyWebhook(body, headers, secret, { now: world.now })
      if (output.isJson) output.line(JSON.stringify({ verified: true, id, event, payload }))
      else output.line(`verified  ${event}  ${id}`)
      return 204
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      if (output.isJson) output.line(JSON.stringify({ verified: false, code: error.code, message: error.message }))
      else output.line(`refused  ${error.code}  ${error.message}`)
      return 401
    }
  }
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return void response.writeHead(413).end()
    response.writeHead(await verdict(await buffer(request), request.headers)).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => reject(new Problem('failed', `Port ${port} cannot be opened: ${message}.`)))
    server.listen(port, '127.0.0.1', resolve)
  })
  output.say(`Waiting for deliveries on http://127.0.0.1:${port}. Ctrl-C ends it.`)
  await new Promise<void>((resolve) => world.onInterrupt(resolve))
  server.closeAllConnections()
  server.close()
}
