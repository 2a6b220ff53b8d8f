import type { compile } from '@svc/core'
import type { ClientEvents } from './data-file/replica.ts'
import type { Context, Details } from './details.ts'
import type { Emit } from './emitter.ts'
import type { Settings } from './options.ts'
import type { Platform } from './requests/platform.ts'

/** What a client lends to parts that get a finished client, such as `createWeb`. */
export interface Connection {
  /** The address of the service, without a slash at its end. */
  baseUrl: string
  settings: Settings
  platform: Platform
  emit: Emit<ClientEvents>
  /** Of the client's copy of core, which knows the units of its answers. */
  compile: typeof compile
  /** Counts a visitor. */
  expose(flagKey: string, found: Details<unknown>, context: Context): void
  /** Calls `stop` when the client is closed. */
  onClose(stop: () => void): void
}

/** From the registry of symbols: a program can have two copies of this package, as ES modules and as CommonJS. */
export const connection = Symbol.for('svc.connection')

/** What this client lends; undefined if it is not one of ours. */
export const connectionOf = (client: object | undefined): Connection | undefined =>
  (client as { [connection]?: Connection } | undefined)?.[connection]
