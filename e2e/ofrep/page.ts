import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature, type Provider, ProviderEvents } from '@openfeature/web-sdk'

/** The values that the test gives to the page, and the functions that it can call there. */
export interface OfrepPage {
  settings: { baseUrl: string; sdkKey: string }
  setPlan(plan: string): Promise<void>
}

const here = globalThis as unknown as OfrepPage & { document: { title: string } }
const { baseUrl, sdkKey } = here.settings
const provider = new OFREPWebProvider({ baseUrl, headers: [['X-API-Key', sdkKey]] })
await OpenFeature.setContext({ targetingKey: 'u-17' })
// Its types differ from the SDK's in a field that may be undefined.
await OpenFeature.setProviderAndWait(provider as Provider)
const flags = OpenFeature.getClient()
const show = () => {
  const theme = flags.getObjectValue('theme', {}) as { primary?: string }
  here.document.title = [
    flags.getBooleanValue('new-checkout', true),
    flags.getStringValue('copy', 'none'),
    flags.getNumberValue('page-size', 0),
    theme.primary,
  ].join(' ')
}
flags.addHandler(ProviderEvents.ConfigurationChanged, show)
here.setPlan = (plan) => OpenFeature.setContext({ targetingKey: 'u-17', plan })
show()
