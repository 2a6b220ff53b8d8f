import type { Client, ClientOptions, DataFile, Details, EvaluationContext } from '@svc/sdk'
import { createClient } from '@svc/sdk'
import { order } from '@svc/sdk/commerce'
import { fileStore } from '@svc/sdk/file-store'
import { createStore } from '@svc/sdk/storage'
import { stream } from '@svc/sdk/stream'
import { typedFlags } from '@svc/sdk/typed'
import { createWeb, type WebVisit } from '@svc/sdk/web-server'
import { verifyWebhook } from '@svc/sdk/webhooks'

const bootstrap: DataFile = {
  schemaVersion: 1,
  revision: 1,
  environment: { id: 'e', key: 'production' },
  publishedAt: null,
  audiences: {},
  exclusionGroups: {},
  flags: {
    checkout: {
      id: 'f',
      type: 'BOOLEAN',
      enabled: true,
      variations: { on: 'true', off: 'false' },
      defaultVariation: 'on',
      rules: [],
    },
  },
  events: {},
}
const options: ClientOptions = { sdkKey: 'sdk_1', baseUrl: 'http://127.0.0.1:9', offline: true, bootstrap }
const client: Client = createClient(options)
const details: Details<boolean> = client.getDetails('checkout', false, { targetingKey: 'u-17' })
/** An interface has no index signature. */
interface Visitor {
  targetingKey: string | undefined
  plan: 'free' | 'team'
}
const visitor: Visitor = { targetingKey: 'u-17', plan: 'team' }
const context: EvaluationContext = visitor
if (client.getBoolean('checkout', false, visitor) !== client.getBoolean('checkout', false, context))
  console.log('never')
// @ts-expect-error: an id is text
const wrong: EvaluationContext = { targetingKey: 17 }
const flags = typedFlags<{ checkout: { value: boolean; variation: 'on' | 'off' } }>(client, { checkout: false })
// @ts-expect-error: no such variation
if (flags.is('checkout', 'long')) console.log('never')
console.assert(wrong.targetingKey !== undefined)
const web = createWeb({ client })
const newcomer = web.visitor(undefined)
const { experiments, redirect }: WebVisit = web.decide({ url: 'https://shop.example/', visitor: newcomer })
console.assert(experiments.length === 0 && redirect === null && web.inline({ nonce: 'n', visitor: newcomer }) === '')
order(client, { orderId: '1', currency: 'EUR', total: 5, items: [{ itemId: 'A', quantity: 1, price: '5' }] }, visitor)
const doors = [stream, order, createStore, fileStore, verifyWebhook, typedFlags, createWeb].map((door) => typeof door)
console.log(JSON.stringify({ checkout: details.value, typed: flags.get('checkout'), doors }))
client.close()
