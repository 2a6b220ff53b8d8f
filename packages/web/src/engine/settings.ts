import type { Settings } from '../../../sdk/src/options.ts'
import type { TrackingSettings } from '../../../sdk/src/visitors/tracking.ts'
import { dimensionNames } from './context.ts'

/** The settings of the SDK that the engine uses. The service has made the script, so nobody else sets them. */
export type EngineSettings = TrackingSettings & Pick<Settings, 'heartbeatUrl'>

/** @param baseUrl the address of the service, without a slash at its end */
export function settingsOf(baseUrl: string, sdkKey: string, fetch: EngineSettings['fetch']): EngineSettings {
  const api = `${baseUrl}/api/sdk/`
  return {
    ...{ sdkKey, fetch, dimensions: dimensionNames, requestTimeoutMs: 10_000, offline: false, tracking: false },
    ingestKey: undefined,
    heartbeatUrl: `${api}heartbeat`,
    eventsUrl: `${api}v1/events`,
    async warn(message, ...cause) {
      console.warn(`Svc: ${message}`, ...cause)
    },
  }
}
