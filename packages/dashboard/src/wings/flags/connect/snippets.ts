export interface Connection {
  /** The address of the service, without a slash at the end. */
  baseUrl: string
  sdkKey: string
  /** A boolean flag to ask for. */
  flagKey: string
}

export interface ConnectSnippet {
  language: string
  /** How to install what the code needs. Without it, nothing has to be installed. */
  install?: string
  /** Where the guide says how to get the file that `install` names. By default, that of the JavaScript SDK. */
  guide?: string
  /** What to do with the code. */
  use: string
  code: string
}

/** The file that `pip wheel` writes, as in docs/python.md. A test compares it with the version of the SDK. */
export const wheelFile = 'svc_sdk-0.1.0-py3-none-any.whl'

/** The address of the service: every data file is below it. */
export const baseUrlOf = (dataFileUrl: string): string => dataFileUrl.replace(/\/api\/sdk\/v1\/datafile\/.*$/, '')

/** Programs and pages that connect as they are. Each one shows the flag, and shows it again when it changes. */
export function connectSnippets(connection: Connection): [ConnectSnippet, ...ConnectSnippet[]] {
  const others = [browser, react, nextJs, python, openFeature, curl]
  return [node(connection), ...others.map((snippetOf) => snippetOf(connection))]
}

const installOf = (baseUrl: string): string => `npm install ${baseUrl}/packages/svc-sdk.tgz`

const node = ({ baseUrl, sdkKey, flagKey }: Connection): ConnectSnippet => ({
  language: 'Node',
  install: installOf(baseUrl),
  use: 'Save this as hello.mjs and start it with “node hello.mjs”.',
  code: `import { createClient } from '@svc/sdk'
import { stream } from '@svc/sdk/stream'

const client = createClient({
  sdkKey: '${sdkKey}',
  baseUrl: '${baseUrl}',
  stream,
})
const show = () => {
  const value = client.getBoolean('${flagKey}', false, { targetingKey: 'u-17' })
  console.log('${flagKey}:', value)
}

client.on('ready', show)
client.on('change', show)
client.on('error', (fault) => console.error(fault.message))
`,
})

const browser = ({ baseUrl, sdkKey, flagKey }: Connection): ConnectSnippet => ({
  language: 'Browser',
  use: 'Put this into any page, and open the page. Nothing has to be installed.',
  code: `<p id="flag">Waiting…</p>
<script type="module">
  import { createClient, stream } from '${baseUrl}/sdk/v1/svc-live.js'

  const client = createClient({
    sdkKey: '${sdkKey}',
    baseUrl: '${baseUrl}',
    stream,
  })
  const show = () => {
    const value = client.getBoolean('${flagKey}', false, { targetingKey: 'u-17' })
    document.querySelector('#flag').textContent = '${flagKey}: ' + value
  }
  client.on('ready', show)
  client.on('change', show)
</script>
`,
})

const react = ({ baseUrl, sdkKey, flagKey }: Connection): ConnectSnippet => ({
  language: 'React',
  install: installOf(baseUrl),
  use: 'Save this as hello.jsx and show <Hello /> anywhere.',
  code: `import { createClient } from '@svc/sdk'
import { SvcProvider, useFlag } from '@svc/sdk/react'
import { stream } from '@svc/sdk/stream'

const client = createClient({
  sdkKey: '${sdkKey}',
  baseUrl: '${baseUrl}',
  stream,
})

function Flag() {
  return <p>${flagKey}: {String(useFlag('${flagKey}', false))}</p>
}

export function Hello() {
  return (
    <SvcProvider client={client} context={{ targetingKey: 'u-17' }}>
      <Flag />
    </SvcProvider>
  )
}
`,
})

const nextJs = ({ baseUrl, sdkKey, flagKey }: Connection): ConnectSnippet => ({
  language: 'Next.js',
  install: installOf(baseUrl),
  use: 'Save this as app/hello/page.jsx in a program with Next.js, and open /hello. Load it again after a change.',
  code: `import { createClient } from '@svc/sdk'
import { stream } from '@svc/sdk/stream'

/** One client for all requests of this server. */
const client = createClient({
  sdkKey: '${sdkKey}',
  baseUrl: '${baseUrl}',
  stream,
})

/** Rendered for each visitor, and not once at the build. */
export const dynamic = 'force-dynamic'

export default async function Page() {
  await client.waitUntilReady({ timeoutMs: 2_000 })
  const value = client.getBoolean('${flagKey}', false, { targetingKey: 'u-17' })
  return <p>${flagKey}: {String(value)}</p>
}
`,
})

const python = ({ baseUrl, sdkKey, flagKey }: Connection): ConnectSnippet => ({
  language: 'Python',
  install: `python3 -m pip install ./${wheelFile}`,
  guide: '/docs/python#install',
  use: 'Save this as hello.py and start it with “python3 hello.py”. Press Ctrl-C to stop it.',
  code: `import threading

from svc_sdk import Client

client = Client("${sdkKey}", "${baseUrl}")


def show(event):
    value = client.get_boolean("${flagKey}", False, {"targetingKey": "u-17"})
    print("${flagKey}:", value, flush=True)


client.on("ready", show)
client.on("change", show)
client.on("error", print)
threading.Event().wait()
`,
})

const openFeature = ({ baseUrl, sdkKey, flagKey }: Connection): ConnectSnippet => ({
  language: 'OpenFeature',
  install: `${installOf(baseUrl)} @openfeature/server-sdk`,
  use: 'Save this as hello.mjs and start it with “node hello.mjs”.',
  code: `import { OpenFeature, ProviderEvents } from '@openfeature/server-sdk'
import { SvcServerProvider } from '@svc/sdk/openfeature'
import { stream } from '@svc/sdk/stream'

const provider = new SvcServerProvider({
  sdkKey: '${sdkKey}',
  baseUrl: '${baseUrl}',
  stream,
})
await OpenFeature.setProviderAndWait(provider)

const flags = OpenFeature.getClient()
const show = async () => {
  const value = await flags.getBooleanValue('${flagKey}', false, { targetingKey: 'u-17' })
  console.log('${flagKey}:', value)
}

await show()
flags.addHandler(ProviderEvents.ConfigurationChanged, show)
`,
})

const curl = ({ baseUrl, sdkKey }: Connection): ConnectSnippet => ({
  language: 'curl',
  use: 'Any program can read the data file, and tell the service so with a heartbeat.',
  code: `curl -sS '${baseUrl}/api/sdk/v1/datafile/${sdkKey}.json'

curl -sS '${baseUrl}/api/sdk/heartbeat' -H 'Content-Type: application/json' \\
  -d '{ "sdkKey": "${sdkKey}", "sdkType": "curl", "sdkVersion": "1.0.0" }'
`,
})

export interface Check {
  title: string
  /** What the answer means. */
  means: string
  command: string
}

/** What can be wrong when no heartbeat comes, each with a command that checks it. */
export function checks({ baseUrl, sdkKey }: Connection): Check[] {
  const dataFile = `${baseUrl}/api/sdk/v1/datafile/${sdkKey}.json`
  return [
    {
      title: 'The address cannot be reached from there',
      means: 'Run this where your program runs. An answer is good; none means a firewall, a proxy or a wrong address.',
      command: `curl -sS '${baseUrl}/healthz'`,
    },
    {
      title: 'The key is wrong, or of another environment',
      means: '200 means that the key is right. 404 means that no environment has it.',
      command: `curl -sS -o /dev/null -w '%{http_code}\\n' '${dataFile}'`,
    },
    {
      title: 'The content security policy of the page blocks the service',
      means: 'The browser’s console then names connect-src or script-src. Add this to the policy of your page.',
      command: `script-src ${baseUrl}; connect-src ${baseUrl}`,
    },
    {
      title: 'No heartbeat yet',
      means:
        'The SDK sends one after each successful fetch. A proxy that lets only GET through stops it. This sends one by hand: 200 is good.',
      command: `curl -sS -o /dev/null -w '%{http_code}\\n' '${baseUrl}/api/sdk/heartbeat' -H 'Content-Type: application/json' -d '{ "sdkKey": "${sdkKey}", "sdkType": "curl", "sdkVersion": "1.0.0" }'`,
    },
  ]
}
