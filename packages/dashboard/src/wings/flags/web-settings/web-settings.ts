import type { Data, Issue } from '@svc/client'
import { allOf, counted } from '../../../ui/words/lists.ts'

export const path = '/api/v1/projects/{projectId}/web-settings'

export type WebSettings = Data<typeof path, 'get'>

/** The settings as a form has them: numbers as they are typed, and no domain as an empty text. */
export type WebSettingsValues = Omit<WebSettings, 'maxDelayMs' | 'scriptMaxAgeSeconds' | 'cookieDomain'> & {
  maxDelayMs: string
  scriptMaxAgeSeconds: string
  cookieDomain: string
}

export const labels: Record<keyof WebSettingsValues, string> = {
  hosts: 'Hosts',
  consent: 'Consent',
  pending: 'Until the visitor answers',
  honorPrivacySignals: 'Privacy signals',
  codeVariations: 'Code of variations',
  maxDelayMs: 'Latest start',
  scriptMaxAgeSeconds: 'Age of the script',
  cookieDomain: 'Domain of the cookie',
}

export const maxDelayMs = 10_000
export const maxAgeSeconds = 3600

export const rules = {
  maxDelayMs: wholeNumber(maxDelayMs, 'milliseconds'),
  scriptMaxAgeSeconds: wholeNumber(maxAgeSeconds, 'seconds'),
}

function wholeNumber(max: number, unit: string) {
  return (text: string) =>
    /^\d{1,6}$/.test(text.trim()) && Number(text) <= max
      ? undefined
      : `Enter ${unit} from 0 to ${max.toLocaleString('en')}.`
}

export const valuesOf = ({
  maxDelayMs,
  scriptMaxAgeSeconds,
  cookieDomain,
  ...same
}: WebSettings): WebSettingsValues => ({
  ...same,
  maxDelayMs: String(maxDelayMs),
  scriptMaxAgeSeconds: String(scriptMaxAgeSeconds),
  cookieDomain: cookieDomain ?? '',
})

export const bodyOf = ({ maxDelayMs, scriptMaxAgeSeconds, cookieDomain, ...same }: WebSettingsValues): WebSettings => ({
  ...same,
  maxDelayMs: Number(maxDelayMs),
  scriptMaxAgeSeconds: Number(scriptMaxAgeSeconds),
  cookieDomain: cookieDomain.trim() || null,
})

/** Without rows in which nothing was entered. */
export const tidy = (values: WebSettingsValues): WebSettingsValues => {
  const hosts = values.hosts.map((host) => host.trim()).filter((host) => host !== '')
  return JSON.stringify(hosts) === JSON.stringify(values.hosts) ? values : { ...values, hosts }
}

export const hostInput = (at: number): string => `hosts.${at}`

/** The row of the host that an issue is about. */
export const inputOf = ([field, at]: Issue['path']): string | undefined =>
  field === 'hosts' && typeof at === 'number' ? hostInput(at) : undefined

interface Choice<Value extends string> {
  value: Value
  label: string
  /** What happens to visitors. */
  means: string
}

export const consentChoices: readonly Choice<WebSettings['consent']>[] = [
  {
    value: 'NOT_REQUIRED',
    label: 'Is not required',
    means: 'Every visitor can take part at once. The visitor id is kept in a cookie for a year.',
  },
  {
    value: 'REQUIRED',
    label: 'Is required',
    means: 'Nothing is stored and nothing is sent before your page calls svc.consent(true).',
  },
]

export const pendingChoices: readonly Choice<WebSettings['pending']>[] = [
  {
    value: 'HOLD',
    label: 'Show the unchanged page',
    means: 'Visitors see the page as it is. Those who agree take part from the next page view on.',
  },
  {
    value: 'APPLY',
    label: 'Show the variation',
    means:
      'Visitors see their variation, and are counted once they agree. If they refuse, the unchanged page comes back. Those who never answer can see another variation on the next page.',
  },
]

const labelOf = <Value extends string>(choices: readonly Choice<Value>[], value: Value): string =>
  choices.find((choice) => choice.value === value)!.label

/** The value of a field in words, for a conflict and for people who only look. */
export function wordsOf(field: keyof WebSettingsValues, values: WebSettingsValues): string {
  const value = values[field]
  switch (field) {
    case 'hosts':
      return values.hosts.length === 0 ? 'None' : allOf(values.hosts)
    case 'consent':
      return labelOf(consentChoices, values.consent)
    case 'pending':
      return labelOf(pendingChoices, values.pending)
    case 'honorPrivacySignals':
      return value ? 'Count as a refusal' : 'Have no effect'
    case 'codeVariations':
      return value ? 'Runs on pages' : 'Never runs'
    case 'maxDelayMs':
      return `${Number(value).toLocaleString('en')} ms after the page is shown`
    case 'scriptMaxAgeSeconds':
      return counted(Number(value), 'second')
    case 'cookieDomain':
      return value === '' ? 'The widest that the browser takes' : String(value)
  }
}

/** The settings that have an effect: without a wait for consent, nothing is pending. */
export const shownFields = ({ consent }: Pick<WebSettingsValues, 'consent'>): (keyof WebSettingsValues)[] =>
  (Object.keys(labels) as (keyof WebSettingsValues)[]).filter((field) => field !== 'pending' || consent === 'REQUIRED')
