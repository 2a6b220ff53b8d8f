// Prints what a flag serves to three visitors, at the start and after every change. Press Ctrl-C to stop.
//   SVC_SDK_KEY=sdk_… node examples/node/index.js
import { createClient } from '@svc/sdk'

const { SVC_SDK_KEY, SVC_BASE_URL = 'http://127.0.0.1:4000', SVC_FLAG = 'new-checkout' } = process.env
const pollIntervalMs = 2_000
const visitors = [
  { targetingKey: 'ada', country: 'NL', plan: 'beta' },
  { targetingKey: 'grace', country: 'US', plan: 'pro' },
  { targetingKey: 'linus', country: 'FI', plan: 'free' },
]

if (!SVC_SDK_KEY) {
  console.error('Set SVC_SDK_KEY to the SDK key of an environment: SVC_SDK_KEY=sdk_… node examples/node/index.js')
  process.exit(1)
}

const client = createClient({ sdkKey: SVC_SDK_KEY, baseUrl: SVC_BASE_URL, pollIntervalMs })
client.on('ready', print)
client.on('change', print)

if (!(await client.waitUntilReady({ timeoutMs: 5_000 }))) {
  console.log(`No data file from ${SVC_BASE_URL} yet. Visitors get the default until there is one.`)
  print()
}

// A client does not keep Node running.
const running = setInterval(() => {}, 60_000)
process.once('SIGINT', () => {
  clearInterval(running)
  client.close()
})

function print() {
  console.log(`\n${SVC_FLAG}, revision ${client.revision ?? 'none'}`)
  for (const visitor of visitors) {
    const { value, variationKey, reason, errorCode } = client.getDetails(SVC_FLAG, false, visitor)
    console.log(
      `  ${visitor.targetingKey.padEnd(6)} ${value}  variation ${variationKey ?? '-'}  ${errorCode ?? reason}`,
    )
  }
}
