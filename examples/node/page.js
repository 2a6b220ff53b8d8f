// Renders a page with the data file in it, so that the page evaluates flags without a request. The server follows the
// service through the stream and keeps the last good data file across restarts. Press Ctrl-C to stop.
//   SVC_SDK_KEY=sdk_… node examples/node/page.js
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@svc/sdk'
import { fileStore } from '@svc/sdk/file-store'
import { stream } from '@svc/sdk/stream'

const { SVC_SDK_KEY, SVC_BASE_URL = 'http://127.0.0.1:4000', SVC_FLAG = 'new-checkout', PORT = '5000' } = process.env

if (!SVC_SDK_KEY) {
  console.error('Set SVC_SDK_KEY to the SDK key of an environment: SVC_SDK_KEY=sdk_… node examples/node/page.js')
  process.exit(1)
}

const client = createClient({
  sdkKey: SVC_SDK_KEY,
  baseUrl: SVC_BASE_URL,
  stream,
  store: fileStore(join(tmpdir(), 'svc-example')),
})
client.on('status', (status) => console.log(`status ${status}`))
client.on('change', ({ revision, changedFlags }) => console.log(`revision ${revision}: ${changedFlags.join(', ')}`))
await client.waitUntilReady({ timeoutMs: 2_000 })

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(page())
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`))
process.once('SIGINT', () => {
  server.close()
  server.closeAllConnections()
  client.close()
})

function page() {
  const isNew = client.getBoolean(SVC_FLAG, false, { targetingKey: 'ada' })
  const settings = { sdkKey: SVC_SDK_KEY, baseUrl: SVC_BASE_URL, flag: SVC_FLAG, bootstrap: client.dataFile }
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Checkout</title>
  <h1>${isNew ? 'Express checkout' : 'Checkout'}</h1>
  <script type="application/json" id="flags">${scriptJson(settings)}</script>
  <script type="module">
    const { flag, ...options } = JSON.parse(document.getElementById('flags').textContent)
    const { createClient } = await import(options.baseUrl + '/sdk/v1/svc.js')
    const client = createClient(options)
    const show = () => {
      const isNew = client.getBoolean(flag, false, { targetingKey: 'ada' })
      document.querySelector('h1').textContent = isNew ? 'Express checkout' : 'Checkout'
    }
    client.on('change', show)
    show()
  </script>
</html>`
}

/** Escapes `<`, so that a value that contains `</script>` cannot end the script. */
function scriptJson(value) {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
