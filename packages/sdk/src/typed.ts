import type { Client } from './client.ts'
import type { Context, Details } from './details.ts'

export type { EvaluationContext, JsonValue } from '@svc/core'
export type { Client } from './client.ts'
export type { Context, Details } from './details.ts'

/** The flags of a project: by key the type of the value and the keys of the variations. `svc generate` prints it. */
export type FlagTypes<Flags> = { [Key in keyof Flags]: { value: unknown; variation: string } }

/** What a flag answers, with the keys of its own variations. */
export type TypedDetails<Flag extends { value: unknown; variation: string }> = Omit<
  Details<Flag['value']>,
  'variationKey'
> & {
  /** Null if the default was returned. */
  readonly variationKey: Flag['variation'] | null
}

/** Reads flags by keys that the compiler knows. No method waits or throws. */
export interface FlagReader<Flags extends FlagTypes<Flags>> {
  /** The value of the flag for this context. If there is none, `defaultValue` or else the default of this key. */
  get<Key extends keyof Flags>(key: Key, context?: Context, defaultValue?: Flags[Key]['value']): Flags[Key]['value']
  /** Whether the visitor gets this variation. False if there is none, for example before the first data file. */
  is<Key extends keyof Flags>(key: Key, variation: Flags[Key]['variation'], context?: Context): boolean
  /** The value with its variation, rule and reason. */
  details<Key extends keyof Flags>(
    key: Key,
    context?: Context,
    defaultValue?: Flags[Key]['value'],
  ): TypedDetails<Flags[Key]>
}

/** A view over a client, with the types of your flags. */
export interface TypedFlags<Flags extends FlagTypes<Flags>> extends FlagReader<Flags> {
  /** The same methods, which do not count the visitor. */
  readonly peek: FlagReader<Flags>
}

/**
 * Looks at a client through the types of your flags: a wrong key, variation or type of value does not compile.
 * `svc generate` prints the types and the defaults.
 *
 * @param defaults for each flag what to return if it has no value. For a JSON flag, an object, a list or null
 * @example
 * import { createClient } from '@svc/sdk'
 * import { typedFlags } from '@svc/sdk/typed'
 *
 * interface Flags {
 *   'page-size': { value: number; variation: 'small' | 'large' }
 * }
 * const client = createClient({ sdkKey: 'sdk_…', baseUrl: 'http://127.0.0.1:4000' })
 * const flags = typedFlags<Flags>(client, { 'page-size': 10 })
 * flags.get('page-size', { targetingKey: 'u-17' }) // a number
 */
export function typedFlags<Flags extends FlagTypes<Flags>>(
  client: Client,
  defaults: { readonly [Key in keyof Flags]: Flags[Key]['value'] },
): TypedFlags<Flags> {
  const reader = (method: 'getDetails' | 'peekDetails'): FlagReader<Flags> => {
    const details: FlagReader<Flags>['details'] = (key, context, defaultValue = defaults[key]) =>
      // The method says by its overloads which types of default there are. `Flags` is the promise that these fit.
      (client[method] as (...given: unknown[]) => never)(key, defaultValue, context)
    return {
      details,
      get: (...given) => details(...given).value,
      is: (key, variation, context) => details(key, context).variationKey === variation,
    }
  }
  return { ...reader('getDetails'), peek: reader('peekDetails') }
}
