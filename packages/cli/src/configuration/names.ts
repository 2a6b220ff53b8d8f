import { isVisible, oneName } from '@svc/core'
import type { Fault } from './faults.ts'
import { type Fields, kindNames } from './objects.ts'

type Entries = Record<string, Fields>

/** Of these, two of a project cannot have the same name. */
export const uniquelyNamed: readonly string[] = [
  'environments',
  'metrics',
  'segments',
  'audiences',
  'exclusionGroups',
  'holdouts',
]

/** Names that the service would refuse: those with invisible characters, and those of two objects. */
export function nameFaults(value: Fields): Fault[] {
  return [
    ...kindNames.flatMap((kind) => {
      const section = (value[kind] ?? {}) as Entries
      return [...wrong([kind], section), ...(uniquelyNamed.includes(kind) ? repeated(kind, section) : [])]
    }),
    ...wrong(['flags'], value.flags),
    ...Object.entries((value.flags ?? {}) as Entries).flatMap(([key, flag]) => [
      ...wrong(['flags', key, 'variations'], flag.variations),
      ...Object.entries((flag.environments ?? {}) as Entries).flatMap(([env, { rules }]) =>
        wrong(['flags', key, 'environments', env, 'rules'], rules),
      ),
    ]),
  ]
}

/** Of a record or a list of named things. */
const wrong = (path: Fault['path'], things: unknown): Fault[] =>
  Object.entries((things ?? {}) as Entries).flatMap(([key, { name }]) => {
    const message = typeof name === 'string' ? nameFault(oneName(name)) : undefined
    return message ? [{ path: [...path, Array.isArray(things) ? Number(key) : key, 'name'], message }] : []
  })

function nameFault(name: string): string | undefined {
  if (name === '') return 'must not be blank.'
  return isVisible(name) ? undefined : 'must not contain line breaks, control characters or invisible characters.'
}

function repeated(kind: string, section: Entries): Fault[] {
  const seen = new Map<string, string>()
  return Object.entries(section).flatMap(([key, { name }]) => {
    if (typeof name !== 'string') return []
    const other = seen.get(oneName(name))
    seen.set(oneName(name), key)
    return other === undefined ? [] : [{ path: [kind, key, 'name'], message: `is the name of ${kind}.${other}, too.` }]
  })
}
