import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { ApiError } from '@svc/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import classes from './calculator.module.css'
import { initialSize, questionOf, type SizeValues, sizeWords } from './size-form.ts'

const path = '/api/v1/calculators/sample-size'
const typingMs = 250
const below = ['label', 'input', 'description', 'error'] as const

interface SizeCalculatorProps {
  /** Fixed by the test that is set up. */
  fixed?: Partial<Pick<SizeValues, 'test' | 'variations'>>
  /** Takes the number of visitors over into the test. */
  onChoose?: (unitsPerVariation: number) => void
}

/** How many visitors and days a test needs. The answer follows what is typed. */
export function SizeCalculator({ fixed = {}, onChoose }: SizeCalculatorProps) {
  const [typed, setTyped] = useState(initialSize)
  const values = { ...typed, ...fixed }
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
  const refused = query.error instanceof ApiError ? query.error : undefined
  const field = (name: keyof SizeValues) => ({
    value: values[name],
    // Fields stand in rows, and not each has a description.
    inputWrapperOrder: [...below],
    error: faults[name] ?? refused?.issues?.find((issue) => fieldOf(issue.path) === name)?.message,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setTyped((current) => ({ ...current, [name]: value }))
    },
  })
  const isRate = values.type === 'PROPORTION'
  const isAnswered = query.data !== undefined && question !== undefined && !query.error
  return (
    <Stack gap="md">
      <div className={classes.fields}>
        <NativeSelect
          label="The metric is"
          {...field('type')}
          data={[
            { value: 'PROPORTION', label: 'a share of the visitors' },
            { value: 'MEAN', label: 'a number per visitor' },
          ]}
        />
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
          label="New visitors a day"
          description="Who take part in the test."
          inputMode="numeric"
          autoComplete="off"
          {...field('visitorsPerDay')}
        />
        {fixed.variations === undefined && (
          <NativeSelect label="Variations, with the original" {...field('variations')} data={['2', '3', '4']} />
        )}
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
      <FailureNotice error={refused?.issues?.length ? null : query.error} title="This cannot be calculated" />
      <div role="status" className={classes.answer}>
        {isAnswered &&
          sizeWords(query.data.size, query.data.question).map((words, at) => (
            <Text key={words} {...(at === 0 && { fw: 600 })}>
              {words}
            </Text>
          ))}
      </div>
      {isAnswered && onChoose && (
        <div>
          <Button variant="default" onClick={() => onChoose(query.data.size.unitsPerVariation)}>
            Use this size
          </Button>
        </div>
      )}
      {isAnswered && (
        <Disclosure summary="What this assumes">
          <Stack gap={4}>
            {query.data.size.assumptions.map((words) => (
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

/** The field of the form for one of the body. */
const fieldOf = ([name]: readonly (string | number)[]): string | undefined =>
  ({ minimumDetectableLift: 'lift', unitsPerDay: 'visitorsPerDay' })[String(name)] ?? String(name)

/** "10 is from 5 % to 5.5 %." */
function exampleOf({ baseline, lift }: SizeValues): string {
  const asked = questionOf({ ...initialSize, baseline, lift })
  if (!('question' in asked)) return '10 is from 5 % to 5.5 %.'
  const { baseline: rate, minimumDetectableLift } = asked.question
  const percent = (share: number) => `${Number((share * 100).toPrecision(3))} %`
  return `${lift} is from ${percent(rate)} to ${percent(rate * (1 + minimumDetectableLift))}.`
}
