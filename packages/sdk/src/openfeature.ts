import type {
  AnyProviderEvent,
  ClientProviderStatus,
  CommonProvider,
  EvaluationContext,
  JsonValue,
  ProviderEventEmitter,
  ResolutionDetails,
  ServerProviderStatus,
  TrackingEventDetails,
} from '@openfeature/core'
import type { Client } from './client.ts'
import type { SvcProviderOptions } from './openfeature/link.ts'
import { linkTo } from './openfeature/link.ts'

export type { SvcProviderOptions } from './openfeature/link.ts'

/** What both providers have. */
class SvcProvider {
  /** The name of the provider, which OpenFeature shows in hooks and logs. */
  readonly metadata = { name: 'svc' } as const
  /** Announces the status of the client and changed flags. */
  readonly events: ProviderEventEmitter<AnyProviderEvent>
  protected readonly link: ReturnType<typeof linkTo>

  /**
   * @param given a client, or options to make one
   * @throws TypeError if an option is wrong
   */
  constructor(given: Client | SvcProviderOptions) {
    this.link = linkTo(given)
    this.events = this.link.events
  }

  /**
   * Waits for the first data file. Rejects with PROVIDER_FATAL if the service does not know the SDK key, and if there is
   * no file within `readyTimeoutMs`. A file that arrives later makes the provider ready.
   */
  initialize(): Promise<void> {
    return this.link.initialize()
  }

  /** Sends waiting events, and closes the client unless it was handed in. */
  onClose(): Promise<void> {
    return this.link.onClose()
  }

  /** Reports what a visitor did. All details except `value` become properties of the event. */
  track(name: string, context: EvaluationContext, details?: TrackingEventDetails): void {
    this.link.track(name, context, details)
  }
}

/**
 * Provider for `@openfeature/server-sdk`. Flags are evaluated in the process, as the client does. A client that is
 * handed in stays open when OpenFeature closes the provider; one that the provider has made is closed.
 *
 * @example
 * import { OpenFeature } from '@openfeature/server-sdk'
 * import { SvcServerProvider } from '@svc/sdk/openfeature'
 *
 * await OpenFeature.setProviderAndWait(new SvcServerProvider({ sdkKey: 'sdk_…', baseUrl: 'http://127.0.0.1:4000' }))
 */
export class SvcServerProvider extends SvcProvider implements CommonProvider<ServerProviderStatus> {
  /** OpenFeature refuses this provider in a page. */
  readonly runsOn = 'server'

  /** The value of a BOOLEAN flag. With an error, the default and an error code. */
  async resolveBooleanEvaluation(flagKey: string, defaultValue: boolean, context: EvaluationContext) {
    return this.link.resolve(flagKey, defaultValue, false, context)
  }

  /** The value of a STRING flag. With an error, the default and an error code. */
  async resolveStringEvaluation(flagKey: string, defaultValue: string, context: EvaluationContext) {
    return this.link.resolve(flagKey, defaultValue, '', context)
  }

  /** The value of a NUMBER flag. With an error, the default and an error code. */
  async resolveNumberEvaluation(flagKey: string, defaultValue: number, context: EvaluationContext) {
    return this.link.resolve(flagKey, defaultValue, 0, context)
  }

  /** The value of a JSON flag. With an error, the default and an error code. */
  async resolveObjectEvaluation<Value extends JsonValue>(
    flagKey: string,
    defaultValue: Value,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<Value>> {
    return this.link.resolve(flagKey, defaultValue, {}, context)
  }
}

/**
 * Provider for `@openfeature/web-sdk`. It holds the data file, so a changed context needs no request.
 *
 * @example
 * import { OpenFeature } from '@openfeature/web-sdk'
 * import { SvcWebProvider } from '@svc/sdk/openfeature'
 *
 * OpenFeature.setContext({ targetingKey: 'u-17' })
 * await OpenFeature.setProviderAndWait(new SvcWebProvider({ sdkKey: 'sdk_…', baseUrl: 'http://127.0.0.1:4000' }))
 */
export class SvcWebProvider extends SvcProvider implements CommonProvider<ClientProviderStatus> {
  /** OpenFeature refuses this provider on a server. */
  readonly runsOn = 'client'

  /** There is nothing to fetch for a changed context: the next evaluation uses it. */
  onContextChange(): void {
    this.link.onContextChange()
  }

  /** The value of a BOOLEAN flag. With an error, the default and an error code. */
  resolveBooleanEvaluation(flagKey: string, defaultValue: boolean, context: EvaluationContext) {
    return this.link.resolve(flagKey, defaultValue, false, context)
  }

  /** The value of a STRING flag. With an error, the default and an error code. */
  resolveStringEvaluation(flagKey: string, defaultValue: string, context: EvaluationContext) {
    return this.link.resolve(flagKey, defaultValue, '', context)
  }

  /** The value of a NUMBER flag. With an error, the default and an error code. */
  resolveNumberEvaluation(flagKey: string, defaultValue: number, context: EvaluationContext) {
    return this.link.resolve(flagKey, defaultValue, 0, context)
  }

  /** The value of a JSON flag. With an error, the default and an error code. */
  resolveObjectEvaluation<Value extends JsonValue>(
    flagKey: string,
    defaultValue: Value,
    context: EvaluationContext,
  ): ResolutionDetails<Value> {
    return this.link.resolve(flagKey, defaultValue, {}, context)
  }
}
