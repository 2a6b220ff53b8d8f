import { OpenFeature } from '@openfeature/server-sdk'
import { createClient } from '@svc/sdk'
import { SvcServerProvider } from '@svc/sdk/openfeature'

const bootstrap = JSON.stringify({
  schemaVersion: 1,
  revision: 1,
  flags: { checkout: { id: 'f', type: 'BOOLEAN', enabled: true, variations: { on: 'true' }, defaultVariation: 'on' } },
})
const client = createClient({ sdkKey: 'sdk_1', baseUrl: 'http://127.0.0.1:9', offline: true, bootstrap })
await OpenFeature.setProviderAndWait(new SvcServerProvider(client))
console.log(await OpenFeature.getClient().getBooleanValue('checkout', false, { targetingKey: 'u-17' }))
await OpenFeature.close()
