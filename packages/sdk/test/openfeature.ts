import type { BaseHook, EvaluationContext, EvaluationDetails, FlagValue, JsonValue } from '@openfeature/core'
import { OpenFeature as OnServer } from '@openfeature/server-sdk'
import { OpenFeature as InPage } from '@openfeature/web-sdk'
import { onTestFinished } from 'vitest'
import type { Client } from '../src/client.ts'
import type { SvcProviderOptions } from '../src/openfeature.ts'
import { SvcServerProvider, SvcWebProvider } from '../src/openfeature.ts'

type Details = EvaluationDetails<FlagValue>
export type FlagKind = 'Boolean' | 'String' | 'Number' | 'Object'

/** Hooks of one evaluation. The SDKs differ in what a `before` hook can return: a page's context is not its own. */
export type Hooks = BaseHook<FlagValue, Record<string, unknown>, EvaluationContext | undefined, void>[]

/** The same questions to both SDKs of OpenFeature. */
export const sdks = [
  {
    name: 'server-sdk',
    api: OnServer,
    providerOf: (given: Client | SvcProviderOptions) => new SvcServerProvider(given),
  },
  { name: 'web-sdk', api: InPage, providerOf: (given: Client | SvcProviderOptions) => new SvcWebProvider(given) },
] as const

export type Sdk = (typeof sdks)[number]

let domains = 0

/** A client of this SDK with a domain of its own. What a test sets is gone when it ends. */
export function openFeatureOfTest({ api, providerOf }: Sdk) {
  const domain = `test-${++domains}`
  const isPage = api === InPage
  onTestFinished(async () => {
    await OnServer.clearProviders()
    await InPage.clearProviders()
    await InPage.clearContexts()
    OnServer.setContext({})
    for (const each of [OnServer, InPage]) {
      each.clearHooks()
      each.clearHandlers()
    }
  })
  const client = isPage ? InPage.getClient(domain) : OnServer.getClient(domain)

  /** Evaluates a flag. In a page, the context is set before, because an evaluation takes none there. */
  const details = async (
    kind: FlagKind,
    key: string,
    defaultValue: unknown,
    context?: EvaluationContext,
    hooks: Hooks = [],
  ) => {
    if (isPage && context) await InPage.setContext(domain, context)
    const ask = client[`get${kind}Details`] as (...given: unknown[]) => Promise<Details> | Details
    const given = isPage ? [key, defaultValue, { hooks }] : [key, defaultValue, context, { hooks }]
    return await ask.apply(client, given)
  }

  return {
    client,
    isPage,
    domain,
    details,
    /** Sets a provider and resolves when its start has ended; true if it is ready. */
    async start(given: Client | SvcProviderOptions) {
      const provider = providerOf(given)
      const start = isPage
        ? InPage.setProviderAndWait(domain, provider as SvcWebProvider)
        : OnServer.setProviderAndWait(domain, provider as SvcServerProvider)
      const failure = await start.then(
        () => undefined,
        (fault: Error) => fault,
      )
      return { provider, failure }
    },
    status: (): string => client.providerStatus,
    /** Notes the events of a name, with their details. */
    heard(event: 'PROVIDER_READY' | 'PROVIDER_ERROR' | 'PROVIDER_STALE' | 'PROVIDER_CONFIGURATION_CHANGED') {
      const noted: unknown[] = []
      const addHandler = client.addHandler.bind(client) as (name: string, note: (details: unknown) => void) => void
      addHandler(event, (told) => noted.push(told))
      return noted
    },
    /** Tracks an event of a visitor. */
    async track(
      name: string,
      context: EvaluationContext,
      given?: { value?: number } & Record<string, JsonValue | Date>,
    ) {
      if (isPage) {
        await InPage.setContext(domain, context)
        InPage.getClient(domain).track(name, given)
      } else OnServer.getClient(domain).track(name, context, given)
    },
  }
}
