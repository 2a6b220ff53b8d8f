import { withoutEmptyRows } from '../../../../ui/conditions/condition-check.ts'
import { type ConditionNames, conditionSentence } from '../../../../ui/conditions/condition-words.ts'
import type { Condition } from '../../../../ui/conditions/conditions.ts'
import { pageSentence } from '../../../../ui/conditions/page-words.ts'
import { allOf, capital } from '../../../../ui/words/lists.ts'
import { percentOf } from '../../../../ui/words/percent.ts'
import type { ExperimentOnPages } from '../experiment.ts'
import { type PageValues, pagesInBody } from './pages.ts'

type Activation = NonNullable<ExperimentOnPages['activation']>
type ApplyAt = NonNullable<ExperimentOnPages['applyAt']>

/** Who takes part, where, and from when on. */
export type TargetingValues = {
  pages: PageValues[]
  audienceIds: string[]
  conditions: Condition
  trafficAllocation: number
  /** Empty if there is none. The next field is the same. */
  exclusionGroupId: string
  holdoutId: string
  activation: Activation
  activationSelector: string
  applyAt: ApplyAt
}

export const labels: Record<keyof TargetingValues, string> = {
  pages: 'Pages',
  audienceIds: 'Audiences',
  conditions: 'Conditions',
  trafficAllocation: 'Traffic',
  exclusionGroupId: 'Exclusion group',
  holdoutId: 'Holdout',
  activation: 'When visitors count',
  activationSelector: 'Element',
  applyAt: 'When changes are applied',
}

export const valuesOf = (experiment: ExperimentOnPages): TargetingValues => ({
  pages: (experiment.pages ?? []).map(({ key, name, url, conditions }) => ({
    ...{ key, name, url: url ?? '' },
    conditions: conditions as Condition,
  })),
  audienceIds: experiment.audienceIds,
  conditions: experiment.conditions as Condition,
  trafficAllocation: experiment.trafficAllocation,
  exclusionGroupId: experiment.exclusionGroupId ?? '',
  holdoutId: experiment.holdoutId ?? '',
  activation: experiment.activation ?? 'PAGE',
  activationSelector: experiment.activationSelector ?? '',
  applyAt: experiment.applyAt ?? 'AUTO',
})

/** The fields that differ from the version that the form began with. */
export function updateOf(values: TargetingValues, base: TargetingValues): Record<string, unknown> {
  const [now, before] = [inBody(values), inBody(base)]
  const changed = Object.entries(now).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof typeof before]),
  )
  // The selector is right or wrong only together with the activation.
  const isActivation = changed.some(([field]) => field.startsWith('activation'))
  return {
    ...Object.fromEntries(changed),
    ...(isActivation && { activation: now.activation, activationSelector: now.activationSelector }),
  }
}

const inBody = ({ pages, conditions, exclusionGroupId, holdoutId, activationSelector, ...same }: TargetingValues) => ({
  ...same,
  pages: pagesInBody(pages),
  conditions: withoutEmptyRows(conditions),
  exclusionGroupId: exclusionGroupId || null,
  holdoutId: holdoutId || null,
  activationSelector: same.activation === 'SEEN' ? activationSelector.trim() || null : null,
})

interface Choice<Value extends string> {
  value: Value
  label: string
  means: string
}

/** `key` is what programs call the experiment: "x12". */
export const activationChoices = (key: string): readonly Choice<Activation>[] => [
  { value: 'PAGE', label: 'When a page opens', means: 'Everyone who opens one of the pages is counted.' },
  {
    value: 'SEEN',
    label: 'When an element is seen',
    means:
      'Only visitors who see the element are counted. The changes are there from the start, so nothing flickers. Take this for places far down the page.',
  },
  {
    value: 'CALL',
    label: 'When the page asks for it',
    means: `Nothing changes and nobody is counted before your code calls svc.activate('${key}').`,
  },
]

export const applyAtChoices: readonly Choice<ApplyAt>[] = [
  {
    value: 'AUTO',
    label: 'Automatic',
    means: 'Changes wait for Next.js, Nuxt and other known frameworks, and are there at once everywhere else.',
  },
  { value: 'EARLY', label: 'At once', means: 'Changes never wait. A framework can draw the page as it was over them.' },
  {
    value: 'HYDRATED',
    label: 'After the page has loaded',
    means:
      'Texts, images and moved elements always wait until the page has loaded. Take this if a framework complains.',
  },
]

const labelOf = <Value extends string>(choices: readonly Choice<Value>[], value: Value): string =>
  choices.find((choice) => choice.value === value)!.label

interface Names extends ConditionNames {
  groups: ReadonlyMap<string, string>
  holdouts: ReadonlyMap<string, string>
}

/** The value of a field in words, for a conflict and for people who only look. */
export function wordsOf(field: keyof TargetingValues, value: unknown, names: Names): string {
  const nameIn = (known: ReadonlyMap<string, string>) =>
    value === '' ? 'None' : (known.get(value as string) ?? 'One that was deleted')
  switch (field) {
    case 'pages':
      return pagesInWords(value as PageValues[])
    case 'audienceIds':
      return allOf((value as string[]).map((id) => names.audiences?.get(id) ?? 'an unknown audience')) || 'None'
    case 'conditions':
      return capital(conditionSentence(value as Condition, names))
    case 'trafficAllocation':
      return percentOf(value as number)
    case 'exclusionGroupId':
      return nameIn(names.groups)
    case 'holdoutId':
      return nameIn(names.holdouts)
    case 'activation':
      return labelOf(activationChoices('…'), value as Activation)
    case 'activationSelector':
      return String(value) || 'None'
    case 'applyAt':
      return labelOf(applyAtChoices, value as ApplyAt)
  }
}

const pagesInWords = (pages: readonly PageValues[]): string =>
  pages.map(({ name, conditions }) => `${name}: ${pageSentence(conditions)}`).join('; ') || 'None'

/** A rule of the field: the selector is needed only for one activation. */
export const selectorRule = (selector: string, { activation }: TargetingValues): string | undefined =>
  activation === 'SEEN' && selector.trim() === ''
    ? 'Enter the selector of the element, such as .pricing-table.'
    : undefined
