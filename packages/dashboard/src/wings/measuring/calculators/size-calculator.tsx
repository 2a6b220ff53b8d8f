import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { ApiError } from '@svc/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { api } from '../../../api.ts'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { percent } from '../../../ui/words/percent.ts'
import classes from './calculator.module.css'
import {
  initialSize,
  lifts,
  liftText,
  placeOf,
  questionOf,
  refusedWords,
  type SampleSize,
  type SizeValues,
  sizeWords,
  withSignOf,
} from './size-form.ts'

const path = '/api/v1/calculators/sample-size'
const typingMs = 250
const below = ['label', 'input', 'description', 'error'] as const

interface SizeCalculatorProps {
  /** Fixed by the test that is set up. */
  fixed?: Partial<Pick<SizeValues, 'test' | 'variations' | 'type'>>
  /** What was measured before. The fields show it until a person types something else. */
  known?: Partial<SizeValues>
  /** Takes the number of visitors over into the test. */
  onChoose?: (unitsPerVariation: number) => void
  /** Hears each answer to what a person has typed. */
  onAnswer?: (unitsPerVariation: number) => void
}

/** How many visitors and days a test needs. The answer follows what is typed. */
export function SizeCalculator({ fixed = {}, known = {}, onChoose, onAnswer }: SizeCalculatorProps) {
  const [typed, setTyped] = useState<Partial<SizeValues>>({})
  const values = { ...initialSize, ...known, ...typed, ...fixed }
  const { answer, failure, errorOf } = useSize(values)
  const units = Object.keys(typed).length > 0 ? answer?.size.unitsPerVariation : undefined
  const hear = useEffectEvent((units: number) => onAnswer?.(units))
  useEffect(() => {
    if (units !== undefined) hear(units)
  }, [units])
  const change = (name: keyof SizeValues, value: string) => setTyped((current) => ({ ...current, [name]: value }))
  return (
    <Stack gap="md">
      <Fields values={values} fixed={fixed} errorOf={errorOf} onChange={change} />
      {answer && <Sliders lift={values.lift} size={answer.size} onLift={(lift) => change('lift', lift)} />}
      <FailureNotice error={failure} title="This cannot be calculated" />
      <div role="status" className={classes.answer}>
        {answer &&
          sizeWords(answer.size, answer.question).map((words, at) => (
            <Text key={words} {...(at === 0 && { fw: 600 })}>
              {words}
            </Text>
          ))}
      </div>
      {answer && onChoose && (
        <div>
          <Button variant="default" onClick={() => onChoose(answer.size.unitsPerVariation)}>
            Use this size
          </Button>
        </div>
      )}
      {answer && (
        <Disclosure summary="What this assumes">
          <Stack gap={4}>
            {answer.size.assumptions.map((words) => (
              <Text size="sm" key={words}>
                {words}
              </Text>
            ))}
          </Stack>
        </Disclosure>
      )}
    </Stack>
  )
}

/** The service's answer to the values after a pause in typing. A known answer stays while the service is away. */
function useSize(values: SizeValues) {
  const [settled] = useDebouncedValue(JSON.stringify(values), typingMs)
  const asked = questionOf(JSON.parse(settled))
  const question = 'question' in asked ? asked.question : undefined
  const faults = 'faults' in asked ? asked.faults : {}
  const query = useQuery({
    queryKey: ['calculator', question],
    queryFn: async ({ signal }) => ({
      size: (await api.POST(path, { body: question!, signal })).data!.data,
      question: question!,
    }),
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const failure = query.isLoadingError ? query.error : null
  const issues = failure instanceof ApiError ? failure.issues : []
  return {
    answer: question !== undefined && !failure ? query.data : undefined,
    /** Issues are at their fields. */
    failure: issues.length > 0 ? null : failure,
    errorOf: (name: keyof SizeValues) => {
      const issue = issues.find(({ path }) => fieldOf(path) === name)
      return faults[name] ?? (issue && refusedWords(name, issue.message))
    },
  }
}

interface FieldsProps extends Required<Pick<SizeCalculatorProps, 'fixed'>> {
  values: SizeValues
  errorOf: (name: keyof SizeValues) => string | undefined
  onChange: (name: keyof SizeValues, value: string) => void
}

function Fields({ values, fixed, errorOf, onChange }: FieldsProps) {
  const field = (name: keyof SizeValues) => ({
    value: values[name],
    // Fields are in rows, and only some have a description.
    inputWrapperOrder: [...below],
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => onChange(name, event.currentTarget.value),
  })
  const isRate = values.type === 'PROPORTION'
  return (
    <div className={classes.fields}>
      {fixed.type === undefined && (
        <NativeSelect
          label="The metric is"
          {...field('type')}
          data={[
            { value: 'PROPORTION', label: 'a share of the visitors' },
            { value: 'MEAN', label: 'a number per visitor' },
          ]}
        />
      )}
      <TextInput
        label={isRate ? 'Share now, in %' : 'Mean now'}
        description={isRate ? 'Of the visitors who will see the test.' : 'Visitors with 0 included.'}
        inputMode="decimal"
        autoComplete="off"
        {...field('baseline')}
      />
      {!isRate && (
        <TextInput
          label="Standard deviation"
          description="How far visitors are from the mean."
          inputMode="decimal"
          autoComplete="off"
          {...field('stddev')}
        />
      )}
      <TextInput
        label="Smallest change to find, in %"
        description={isRate ? `Of the share: ${exampleOf(values)}` : 'Of the mean.'}
        inputMode="decimal"
        autoComplete="off"
        {...field('lift')}
      />
      <TextInput
        label="New visitors per day"
        description="Who take part in the test."
        inputMode="numeric"
        autoComplete="off"
        {...field('visitorsPerDay')}
      />
      {fixed.variations === undefined && (
        <NativeSelect label="Variations" {...withBaseline} {...field('variations')} data={counts} />
      )}
      <GuardrailFields field={field} isGiven={values.guardrail.trim() !== ''} />
      {fixed.test === undefined && (
        <NativeSelect
          label="Results are read"
          {...field('test')}
          data={[
            { value: 'SEQUENTIAL', label: 'at any time' },
            { value: 'FIXED_HORIZON', label: 'once, at the end' },
          ]}
        />
      )}
    </div>
  )
}

const withBaseline = { description: 'Including the baseline.' }
const counts = ['2', '3', '4']

interface GuardrailFieldsProps {
  field: (name: 'guardrail' | 'margin') => object
  isGiven: boolean
}

function GuardrailFields({ field, isGiven }: GuardrailFieldsProps) {
  return (
    <>
      <TextInput
        label="Guardrail now, in %"
        description="A share that must not get worse. Empty: none."
        inputMode="decimal"
        autoComplete="off"
        {...field('guardrail')}
      />
      {isGiven && (
        <TextInput
          label="Allowed to get worse by, in %"
          description="Of the share of the guardrail."
          inputMode="decimal"
          autoComplete="off"
          {...field('margin')}
        />
      )}
    </>
  )
}

interface SlidersProps {
  lift: string
  size: SampleSize
  onLift: (lift: string) => void
}

/** Two ways to say the same: how long the test may run, and the smallest change that it then finds. */
function Sliders({ lift, size, onLift }: SlidersProps) {
  const { durations, recommendedDays } = size
  const place = placeOf(lift)
  const weeks = (recommendedDays ?? 0) / 7
  return (
    <div className={classes.sliders}>
      <Slider
        label="Smallest change to find"
        words={percent(lift.trim())}
        value={place}
        max={lifts.length - 1}
        onChange={(at) => onLift(withSignOf(lift, String(lifts[at])))}
      />
      {durations === null ? (
        <Text size="sm" c="dimmed">
          Enter the new visitors per day to see how long the test runs.
        </Text>
      ) : (
        <Slider
          label="How long it runs"
          words={weeks > durations.length ? `more than ${durations.length} weeks` : counted(weeks, 'week')}
          value={Math.min(weeks, durations.length)}
          min={1}
          max={durations.length}
          onChange={(week) => {
            const found = durations[week - 1]?.minimumDetectableLift
            if (found != null) onLift(liftText(found))
          }}
        />
      )}
    </div>
  )
}

interface SliderProps {
  label: string
  words: string
  value: number
  min?: number
  max: number
  onChange: (value: number) => void
}

function Slider({ label, words, value, min = 0, max, onChange }: SliderProps) {
  return (
    <label className={classes.slider}>
      <span>
        {label}: <b>{words}</b>
      </span>
      <input
        type="range"
        className={classes.range}
        {...{ min, max, value }}
        aria-label={label}
        aria-valuetext={words}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  )
}

/** The field of the form for one of the body. */
const fieldOf = ([name, , part]: readonly (string | number)[]): string | undefined =>
  ({
    minimumDetectableLift: 'lift',
    unitsPerDay: 'visitorsPerDay',
    guardrails: part === 'nonInferiorityMargin' ? 'margin' : 'guardrail',
  })[String(name)] ?? String(name)

/** "10 is from 5 % to 5.5 %." */
function exampleOf({ baseline, lift }: SizeValues): string {
  const asked = questionOf({ ...initialSize, baseline, lift })
  if (!('question' in asked)) return `10 is from ${percent(5)} to ${percent(5.5)}.`
  const { baseline: rate, minimumDetectableLift } = asked.question
  const words = (share: number) => percent(Number((share * 100).toPrecision(3)))
  return `${lift} is from ${words(rate)} to ${words(rate * (1 + minimumDetectableLift))}.`
}
