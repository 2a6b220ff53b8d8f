import { destinationSecrets } from '@svc/client/catalogue'
import type { Fields } from './objects.ts'

/** The fields of the config of a kind that are secrets. */
export const secretsOf = (kind: unknown): string[] =>
  Object.keys((destinationSecrets as Record<string, Readonly<Record<string, string>>>)[String(kind)] ?? {})

/** The entry of a destination in a file: its config without secrets, and a variable for each of them. */
export function withoutSecrets(key: string, { config, ...entry }: Fields): Fields {
  const names = secretsOf(entry.kind)
  const fields = Object.entries((config ?? {}) as Fields)
  const own = fields.filter(([name]) => !names.includes(name))
  const sealed = fields.filter(([name, value]) => names.includes(name) && !isEmpty(value))
  return {
    ...entry,
    ...(own.length > 0 && { config: Object.fromEntries(own) }),
    ...(sealed.length > 0 && {
      secrets: Object.fromEntries(sealed.map(([name]) => [name, { env: variableOf(key, name) }])),
    }),
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value as object).length === 0)

/** `DESTINATION_RELEASES_URL` */
const variableOf = (key: string, name: string): string =>
  `DESTINATION_${key}_${name.replaceAll(/[A-Z]/g, '_$&')}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
