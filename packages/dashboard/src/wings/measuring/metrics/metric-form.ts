import { missingCondition, withoutEmptyRows } from '../../../ui/conditions/condition-check.ts'
import { type Condition, isGroup, partsOf } from '../../../ui/conditions/conditions.ts'
import { pageSentence } from '../../../ui/conditions/page-words.ts'
import { directionInWords, type Metric, type MetricDefinition, shareInPercent } from './metric-words.ts'
import { type Trigger, triggers } from './trigger-words.ts'

/** How a person says what is measured. */
export type Measure = 'SHARE' | 'COUNT' | 'VALUE' | 'RATIO'

export const measures: Record<Measure, string> = {
  SHARE: 'Share of visitors with an event',
  COUNT: 'Number of events per visitor',
  VALUE: 'Total value of an event per visitor',
  RATIO: 'One total divided by another',
}

/** The fields of the form. Those with a fault that the service finds have the names of the body. */
export type MetricValues = {
  name: string
  key: string
  type: Measure
  eventKey: string
  /** For a ratio: whether its first total is a number of events or of values. */
  valueFrom: 'count' | 'value'
  /** For a ratio: the event to divide by. */
  denominator: string
  denominatorFrom: 'count' | 'value'
  direction: Metric['direction']
  conversionWindowHours: string
  windowIn: 'days' | 'hours'
  unit: string
  /** In percent, as it was typed. */
  winsorizeAt: string
  nonInferiorityMargin: string
  'trigger.on': Trigger['on'] | 'NONE'
  'trigger.selector': string
  'trigger.conditions': Condition
}

const everywhere: Condition = { all: [] }

export const fresh: MetricValues = {
  name: '',
  key: '',
  type: 'SHARE',
  eventKey: '',
  valueFrom: 'count',
  denominator: '',
  denominatorFrom: 'count',
  direction: 'INCREASE',
  conversionWindowHours: '7',
  windowIn: 'days',
  unit: '',
  winsorizeAt: '',
  nonInferiorityMargin: '',
  'trigger.on': 'NONE',
  'trigger.selector': '',
  'trigger.conditions': everywhere,
}

export function valuesOf(metric: Metric): MetricValues {
  const { name, key, eventKey, valueFrom, denominator, direction, conversionWindowHours: hours, unit } = metric
  const { trigger } = metric
  const inDays = hours % hoursPerDay === 0
  return {
    name,
    key,
    type: measureOf(metric),
    eventKey,
    valueFrom: valueFrom ?? 'count',
    denominator: denominator?.eventKey ?? '',
    denominatorFrom: denominator?.valueFrom ?? 'count',
    direction,
    conversionWindowHours: String(inDays ? hours / hoursPerDay : hours),
    windowIn: inDays ? 'days' : 'hours',
    unit: unit ?? '',
    winsorizeAt: percentOf(metric.winsorizeAt),
    nonInferiorityMargin: percentOf(metric.nonInferiorityMargin),
    'trigger.on': trigger?.on ?? 'NONE',
    'trigger.selector': trigger?.selector ?? '',
    'trigger.conditions': (trigger?.conditions as Condition | null | undefined) ?? everywhere,
  }
}

/** What the service gets. Fields that the measure does not have are left out of it. */
export function definitionOf(values: MetricValues): MetricDefinition {
  const { type, direction } = values
  const isTotal = type !== 'SHARE'
  return {
    type: typeOf[type],
    eventKey: values.eventKey.trim(),
    valueFrom: type === 'VALUE' || (type === 'RATIO' && values.valueFrom === 'value') ? 'value' : null,
    denominator:
      type === 'RATIO'
        ? { eventKey: values.denominator.trim(), valueFrom: values.denominatorFrom === 'value' ? 'value' : null }
        : null,
    direction,
    unit: (isTotal && values.unit.trim()) || null,
    conversionWindowHours: hoursOf(values),
    winsorizeAt: type === 'COUNT' || type === 'VALUE' ? shareOf(values.winsorizeAt) : null,
    nonInferiorityMargin: shareOf(values.nonInferiorityMargin),
    trigger: triggerOf(values),
  }
}

function triggerOf(values: MetricValues): Trigger | null {
  const { 'trigger.on': on, 'trigger.selector': selector } = values
  if (on === 'NONE') return null
  const conditions = withoutEmptyRows(values['trigger.conditions'])
  const isEverywhere = isGroup(conditions) && 'all' in conditions && partsOf(conditions).length === 0
  return { on, selector: on === 'PAGE_VIEW' ? null : selector.trim(), conditions: isEverywhere ? null : conditions }
}

type Rules = {
  [Field in keyof MetricValues]?: (value: MetricValues[Field], values: MetricValues) => string | undefined
}

const maxWindowHours = 2160

export const rules: Rules = {
  name: (name) => (name.trim() === '' ? 'Enter a name.' : undefined),
  key: (key) => (key.trim() === '' ? 'Enter a key.' : undefined),
  eventKey: (key) => (key.trim() === '' ? 'Enter the key of the event that your program tracks.' : undefined),
  denominator: (key, { type }) =>
    type === 'RATIO' && key.trim() === '' ? 'Enter the key of the event to divide by.' : undefined,
  conversionWindowHours: (_text, values) => {
    const hours = hoursOf(values)
    return Number.isInteger(hours) && hours >= 1 && hours <= maxWindowHours
      ? undefined
      : `Enter a whole number of ${values.windowIn}, up to 90 days.`
  },
  winsorizeAt: (text, { type }) =>
    text.trim() === '' || type === 'SHARE' || type === 'RATIO' || isWithin(text, 50, 100)
      ? undefined
      : 'Enter a percentage from 50 to less than 100, such as 99.9.',
  nonInferiorityMargin: (text) =>
    text.trim() === '' || (isWithin(text, 0, 100) && shareOf(text) !== 0)
      ? undefined
      : 'Enter a percentage between 0 and 100, such as 2.',
  'trigger.selector': (selector, { 'trigger.on': on }) =>
    selector.trim() === '' && on !== 'NONE' && on !== 'PAGE_VIEW' ? 'Enter the selector of the elements.' : undefined,
  'trigger.conditions': (conditions, { 'trigger.on': on }) =>
    on === 'NONE' ? undefined : missingCondition(conditions),
}

/** A key for what was typed so far: "Paid orders" becomes `paid_orders`. */
export const keyFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 100)
    .replace(/_$/, '')

export const labels: Record<keyof MetricValues, string> = {
  name: 'The name',
  key: 'The key',
  type: 'What is measured',
  eventKey: 'The event',
  valueFrom: 'What is counted of the event',
  denominator: 'The event to divide by',
  denominatorFrom: 'What is counted of the event to divide by',
  direction: 'The good direction',
  conversionWindowHours: 'How long events count',
  windowIn: 'Days or hours',
  unit: 'The unit',
  winsorizeAt: 'The cap',
  nonInferiorityMargin: 'The margin',
  'trigger.on': 'The trigger',
  'trigger.selector': 'The selector of the trigger',
  'trigger.conditions': 'Where the trigger counts',
}

/** What is chosen from a list, in words. */
export function wordsOf(field: keyof MetricValues, value: unknown): string | undefined {
  if (field === 'type') return measures[value as Measure]
  if (field === 'trigger.on') return triggers[value as Trigger['on']]
  if (field === 'trigger.conditions') return pageSentence(value as Condition)
  if (field === 'direction') return directionInWords(value as Metric['direction'])
  if (field === 'valueFrom' || field === 'denominatorFrom') return value === 'count' ? 'events' : 'values'
  return undefined
}

const hoursPerDay = 24
const typeOf = { SHARE: 'PROPORTION', COUNT: 'MEAN', VALUE: 'MEAN', RATIO: 'RATIO' } as const

function measureOf({ type, valueFrom }: Metric): Measure {
  if (type === 'PROPORTION') return 'SHARE'
  if (type === 'RATIO') return 'RATIO'
  return valueFrom ? 'VALUE' : 'COUNT'
}

const hoursOf = ({ conversionWindowHours, windowIn }: MetricValues): number =>
  Number(conversionWindowHours.trim() || Number.NaN) * (windowIn === 'days' ? hoursPerDay : 1)

const numberIn = (text: string): number => Number(text.trim().replace(',', '.').replace(/ ?%$/, '') || Number.NaN)

const isWithin = (text: string, least: number, below: number): boolean =>
  numberIn(text) >= least && numberIn(text) < below

/** Rounded, because 99.9 / 100 is not the number nearest to 0.999. */
const shareOf = (text: string): number | null =>
  text.trim() === '' ? null : Math.round(numberIn(text) * 10_000) / 1_000_000

const percentOf = (share: number | null): string => (share === null ? '' : shareInPercent(share))
