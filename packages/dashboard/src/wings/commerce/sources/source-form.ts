import type { operations } from '@svc/client'
import { whole } from '../../../ui/words/percent.ts'
import {
  everyInWords,
  type ScheduleValues,
  scheduleInput,
  scheduleLabels,
  scheduleOf,
  scheduleRules,
  scheduleValues,
} from '../schedules/schedule-values.ts'
import type { Source } from './source.ts'
import { fieldName, fieldsInWords, formats, modeInWords, shareText, supplementFields } from './source-words.ts'

export type NewSource = operations['createCatalogSource']['requestBody']['content']['application/json']
export type SourceUpdate = operations['updateCatalogSource']['requestBody']['content']['application/json']

/** A row of the mapping. `key` is our field; empty until it is chosen. */
export interface MappedColumn {
  key: string
  column: string
}

/** What the steps of a source ask for. Shares are basis points. */
export type SourceValues = {
  name: string
  /** Never changes. */
  type: Source['type']
  /** Of a supplement: what it sets. */
  fields: string[]
  /** Of orders: where they count. Empty for the environment that the service takes by itself. */
  envId: string
  from: 'URL' | 'FILE'
  url: string
  authType: 'NONE' | 'BASIC' | 'BEARER' | 'HEADER'
  username: string
  header: string
  /** Empty: the one that is kept stays. */
  secret: string
  format: Source['format']
  encoding: Source['encoding']
  defaultCurrency: string
  mapping: MappedColumn[]
  mode: Source['mode']
  maxRemovedShare: number
  maxSkippedShare: number
  maxPriceShiftShare: number
  minItems: string
} & ScheduleValues

/** The limits that a source has if nobody says otherwise. */
const defaults = { maxRemovedShare: 0.2, maxSkippedShare: 0.1, maxPriceShiftShare: 0.2, minItems: 1 }

export const newSource = (timezone: string, envId = ''): SourceValues => ({
  ...{ name: '', type: 'PRODUCTS', fields: [], envId },
  ...{ from: 'URL', url: '', authType: 'NONE', username: '', header: '', secret: '' },
  ...{ format: 'AUTO', encoding: 'utf-8', defaultCurrency: '', mapping: [], mode: 'FULL' },
  ...guardValues({}),
  ...scheduleValues(null, timezone),
})

export function valuesOf(source: Source, timezone: string): SourceValues {
  const { name, type, url, auth, format, encoding, defaultCurrency, mapping, mode, guards, schedule } = source
  return {
    ...{ name, type, fields: [...(source.fields ?? [])], envId: source.envId ?? '' },
    ...{ from: url === null ? 'FILE' : 'URL', url: url ?? '' },
    authType: auth?.type ?? 'NONE',
    username: auth?.type === 'BASIC' ? auth.username : '',
    header: auth?.type === 'HEADER' ? auth.header : '',
    secret: '',
    ...{ format, encoding, defaultCurrency: defaultCurrency ?? '', mode },
    mapping: Object.entries(mapping).map(([key, column]) => ({ key, column })),
    ...guardValues(guards),
    ...scheduleValues(schedule, timezone),
  }
}

function guardValues(guards: Source['guards']) {
  const basisPoints = (name: 'maxRemovedShare' | 'maxSkippedShare' | 'maxPriceShiftShare') =>
    Math.round((guards[name] ?? defaults[name]) * whole)
  return {
    maxRemovedShare: basisPoints('maxRemovedShare'),
    maxSkippedShare: basisPoints('maxSkippedShare'),
    maxPriceShiftShare: basisPoints('maxPriceShiftShare'),
    minItems: String(guards.minItems ?? defaults.minItems),
  }
}

/** The first step creates the source, and the others change it. */
export const creationOf = (values: SourceValues): NewSource => ({
  ...({ name: values.name, type: values.type, ...whereOf(values), ...ownOf(values) } as NewSource),
})

/** What only one type has. */
const ownOf = ({ type, fields, envId }: SourceValues) => ({
  ...(type === 'SUPPLEMENT' && { fields: Object.keys(supplementFields).filter((field) => fields.includes(field)) }),
  ...(type === 'ORDERS' && envId !== '' && { envId }),
})

const whereOf = (values: SourceValues) => ({
  url: values.from === 'URL' ? values.url.trim() : null,
  auth: authOf(values),
})

function authOf({ from, authType, username, header, secret }: SourceValues): Source['auth'] {
  const given = secret === '' ? {} : { secret }
  if (from === 'FILE' || authType === 'NONE') return null
  if (authType === 'BASIC') return { type: authType, username: username.trim(), ...given }
  return authType === 'HEADER' ? { type: authType, header: header.trim(), ...given } : { type: authType, ...given }
}

/** What an edit has changed. Nothing else is sent, so what another person changes meanwhile stays. */
export function updateOf(values: SourceValues, before: Source, timezone: string): SourceUpdate {
  const now = contentOf(values, before.type)
  const was = contentOf(valuesOf(before, timezone), before.type)
  const changed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]))
  return Object.fromEntries(changed) as SourceUpdate
}

const contentOf = (values: SourceValues, type: Source['type']): Record<string, unknown> => ({
  name: values.name,
  ...whereOf(values),
  ...ownOf(values),
  ...{ format: values.format, encoding: values.encoding, mode: values.mode },
  defaultCurrency: values.defaultCurrency.trim() || null,
  mapping: Object.fromEntries(values.mapping.map(({ key, column }) => [key, column.trim()])),
  guards: {
    maxSkippedShare: values.maxSkippedShare / whole,
    // Orders are never removed, and have no prices that shift.
    ...(type !== 'ORDERS' && {
      maxRemovedShare: values.maxRemovedShare / whole,
      maxPriceShiftShare: values.maxPriceShiftShare / whole,
      minItems: Number(values.minItems),
    }),
  },
  schedule: values.from === 'URL' ? scheduleOf(values) : null,
})

const currencyFault = (text: string): string | undefined =>
  /^(?:[A-Z]{3})?$/.test(text.trim()) ? undefined : 'Enter a code of three capital letters, such as EUR.'

/** Checks before the service is called. `hasSecret`: one is kept already. */
export const rulesOf = (hasSecret: (values: SourceValues) => boolean) => ({
  name: (name: string) => (name.trim() === '' ? 'Enter a name.' : undefined),
  fields: (fields: string[], { type }: SourceValues) =>
    type === 'SUPPLEMENT' && fields.length === 0 ? 'Choose what it sets.' : undefined,
  url: (url: string, { from }: SourceValues) =>
    from === 'URL' && url.trim() === '' ? 'Enter the address of the file.' : undefined,
  username: (username: string, { from, authType }: SourceValues) =>
    from === 'URL' && authType === 'BASIC' && username.trim() === '' ? 'Enter the user name.' : undefined,
  header: (header: string, { from, authType }: SourceValues) =>
    from === 'URL' && authType === 'HEADER' && header.trim() === '' ? 'Enter the name of the header.' : undefined,
  secret: (secret: string, values: SourceValues) =>
    values.from === 'URL' && values.authType !== 'NONE' && secret === '' && !hasSecret(values)
      ? 'Enter the secret.'
      : undefined,
  defaultCurrency: currencyFault,
  minItems: (text: string) => (/^\s*\d{1,8}\s*$/.test(text) ? undefined : 'Enter a whole number.'),
  ...scheduleRules,
})

/** What is wrong with rows of the mapping, by the names of their inputs. */
export function mappingFaults({ mapping }: SourceValues): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [at, { key, column }] of mapping.entries()) {
    if (key === '') faults[`mapping.${at}.key`] = 'Choose a field.'
    else if (mapping.findIndex((row) => row.key === key) < at)
      faults[`mapping.${at}.key`] = `${fieldName(key)} already has a column.`
    if (column.trim() === '') faults[`mapping.${at}.column`] = 'Enter the name of a column.'
  }
  return faults
}

/** Which input an issue of the service is about. */
export function inputOf(path: readonly (string | number)[], values: SourceValues): string | undefined {
  const [field, part] = path.map(String)
  if (field === 'auth') return part === 'username' || part === 'header' ? part : 'secret'
  if (field === 'guards') return part
  if (field === 'schedule') return scheduleInput(values)
  const row = field === 'mapping' ? values.mapping.findIndex(({ key }) => key === part) : -1
  return row < 0 ? undefined : `mapping.${row}.column`
}

/** The fields in a conflict. */
export const labels: Record<keyof SourceValues, string> = {
  name: 'The name',
  type: 'What it contains',
  fields: 'What it sets',
  envId: 'The environment',
  from: 'Where the file comes from',
  url: 'The address',
  authType: 'The sign-in',
  username: 'The user name',
  header: 'The header',
  secret: 'The secret',
  format: 'The format',
  encoding: 'The encoding',
  defaultCurrency: 'The currency',
  mapping: 'The columns',
  mode: 'What a sync removes',
  maxRemovedShare: 'The share that can be removed',
  maxSkippedShare: 'The share that can be skipped',
  maxPriceShiftShare: 'The share of prices that can shift',
  minItems: 'The fewest items',
  ...scheduleLabels,
}

const signIns = { NONE: 'No sign-in', BASIC: 'User name and password', BEARER: 'Bearer token', HEADER: 'Header' }

/** The value of a field in a conflict, in words; undefined if the text says it. */
export function shown(field: string, value: unknown): string | undefined {
  if (/Share$/.test(field)) return shareText(Number(value) / whole)
  if (field === 'from') return value === 'URL' ? 'An address' : 'Files that are sent'
  if (field === 'authType') return signIns[value as keyof typeof signIns]
  if (field === 'secret') return value === '' ? 'as it was' : 'a new one'
  if (field === 'format') return formats[value as Source['format']]
  if (field === 'mode') return modeInWords(value as Source['mode'], 'PRODUCTS')
  if (field === 'fields') return fieldsInWords(value as string[])
  if (field === 'every') return everyInWords(value as ScheduleValues['every'])
  if (field === 'mapping')
    return (value as MappedColumn[]).map(({ key, column }) => `${fieldName(key)} from ${column}`).join(', ') || 'none'
  return undefined
}
