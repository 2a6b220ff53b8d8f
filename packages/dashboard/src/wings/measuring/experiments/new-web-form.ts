import type { Checks } from '../../../ui/form/form.tsx'
import { even } from '../../../ui/words/percent.ts'
import { countRule, creationOf, type ExperimentValues, newExperiment } from './experiment-form.ts'
import { addressFault, isAddress, pageFrom, pagesInBody, type Suggestion, suggestedBy } from './targeting/pages.ts'

/** The way to a draft. Each step is the end of the name of a panel in the address. */
export const webSteps = [
  { step: 'page', title: 'Page' },
  { step: 'variations', title: 'Variations' },
  { step: 'goals', title: 'Goals' },
  { step: 'size', title: 'Size' },
] as const

export type WebStep = (typeof webSteps)[number]['step']

/** The step that a panel names: the first one for “create”, and for “create:goals” that one. */
export const webStepIn = (panel: string): WebStep =>
  webSteps.find(({ step }) => step === panel.split(':')[1])?.step ?? 'page'

export const panelOf = (step: WebStep): string => (step === 'page' ? 'create' : `create:${step}`)

export const webStepAfter = (step: WebStep): WebStep | undefined =>
  webSteps[webSteps.findIndex((each) => each.step === step) + 1]?.step

export type NewWebValues = ExperimentValues & {
  envKey: string
  /** Where the page is. It decides nothing by itself. */
  address: string
  /** What a person has chosen of what the address suggests; empty before that. */
  where: Suggestion | ''
  /** Of the variations, in their order. */
  names: string[]
  /** Where the visitors of each variation go; empty if they stay on the page. */
  redirects: string[]
}

export const maxVariations = 4

const keyAt = (at: number): string => (at === 0 ? 'original' : `variation-${at}`)
const nameAt = (at: number): string => (at === 0 ? 'Original' : `Variation ${at}`)

export const newWebExperiment = (envKey: string): NewWebValues => ({
  ...newExperiment({ variations: [{ key: keyAt(0) }, { key: keyAt(1) }], defaultVariationKey: keyAt(0) }),
  ...{ envKey, address: '', where: '', names: [nameAt(0), nameAt(1)], redirects: ['', ''] },
})

type Arms = Pick<NewWebValues, 'names' | 'redirects'>

/** The variations with another number of them, in equal shares. Those that stay keep their names and addresses. */
export const withNames = ({ names, redirects }: Arms): Arms & Pick<NewWebValues, 'variations'> => ({
  ...{ names, redirects },
  variations: even(names.length).map((weight, at) => ({ variationKey: keyAt(at), weight })),
})

export const addVariation = ({ names, redirects }: Arms) =>
  withNames({ names: [...names, nameAt(names.length)], redirects: [...redirects, ''] })

/** Keys follow the place, so nothing is left out between them. */
export const removeVariation = ({ names, redirects }: Arms, at: number) =>
  withNames({ names: names.toSpliced(at, 1), redirects: redirects.toSpliced(at, 1) })

/** Variations as people read them: an empty name is the one that it had at first. */
export const namedVariations = ({ names, variations }: Pick<NewWebValues, 'names' | 'variations'>) =>
  variations.map(({ variationKey: key, weight }, at) => ({ key, name: names[at]?.trim() || nameAt(at), weight }))

type Rules = NonNullable<Checks<NewWebValues>['rules']>

const rulesOfSteps: Record<WebStep, Rules> = {
  page: {
    name: (name) => (name.trim() === '' ? 'Enter a name.' : undefined),
    address: (address) => (address.trim() === '' || isAddress(address) ? undefined : addressFault),
    where: (where, { address }) =>
      !isAddress(address) || suggestedBy(address).some(({ suggestion }) => suggestion === where)
        ? undefined
        : 'Choose where visitors take part.',
  },
  variations: {},
  goals: {},
  size: { plannedUnits: countRule, maxUnits: countRule },
}

/** A step checks its own fields, the last one everything. */
export const rulesOf = (step: WebStep): Rules =>
  webStepAfter(step) === undefined
    ? Object.assign({}, ...webSteps.map((each) => rulesOfSteps[each.step]))
    : rulesOfSteps[step]

/** Addresses of redirects that are none, each at its own field: by the step of the variations, and by the last one. */
export function redirectFaults(step: WebStep, { redirects }: Arms): Record<string, string> {
  if (step !== 'variations' && webStepAfter(step) !== undefined) return {}
  const isWrong = (url: string) => url.trim() !== '' && !isAddress(url)
  return Object.fromEntries(redirects.flatMap((url, at) => (isWrong(url) ? [[`redirects.${at}`, addressFault]] : [])))
}

const fieldsOfSteps: Record<Exclude<WebStep, 'page'>, readonly string[]> = {
  variations: ['variations', 'names', 'redirects', 'baselineVariationKey'],
  goals: ['metrics'],
  size: ['test', 'plannedUnits', 'maxUnits', 'statistics', 'autoPause'],
}

/** The step that has this field. */
export function stepOf(field: string): WebStep {
  const [name] = field.split('.')
  const found = Object.entries(fieldsOfSteps).find(([, fields]) => fields.includes(name!))
  return (found?.[0] as WebStep | undefined) ?? 'page'
}

/** The field of the form that an issue of the service is about, where it has another name. */
export function inputOf([field, at, inner]: readonly (string | number)[]): string | undefined {
  if (field === 'pages') return inner === 'url' ? 'address' : 'where'
  if (field === 'envId') return 'envKey'
  if (field === 'variations' && typeof at === 'number' && inner === 'name') return `names.${at}`
  if (field === 'variations' && typeof at === 'number' && inner === 'redirect') return `redirects.${at}`
  return undefined
}

/** The body of the call that creates the draft. */
export function creationOfWeb(values: NewWebValues): Record<string, unknown> {
  const page = values.where === '' ? undefined : pageFrom(values.address, values.where)
  return {
    ...creationOf(values, { envId: values.envKey }),
    variations: namedVariations(values).map((variation, at) => {
      const url = values.redirects[at]?.trim() ?? ''
      return url === '' ? variation : { ...variation, redirect: { url } }
    }),
    ...(page && { pages: pagesInBody([page]) }),
  }
}
