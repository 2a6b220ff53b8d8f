import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { usePlace } from '../../../shell/place.ts'
import type { Form } from '../../../ui/form/form.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Variation } from '../../../ui/names/variation.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { useTargeting } from '../../flags/flags/targeting-place.ts'
import { MetricFields } from '../../flags/rules/metric-fields.tsx'
import {
  Always,
  DrawingFields,
  NameField,
  type PartProps,
  SplitFields,
  TrafficField,
  WhoFields,
} from '../../flags/rules/rule-fields.tsx'
import { ValidityFields } from '../../flags/rules/validity-fields.tsx'
import { SizeCalculator } from '../calculators/size-calculator.tsx'
import { useMetrics } from '../metrics/metric.ts'
import { useExperiments, useRecentFigures } from './experiment.ts'
import { HypothesisField, PausesField, PlanField, TagsField } from './experiment-fields.tsx'
import { type ExperimentValues, readWords } from './experiment-form.ts'
import { knownSize, recentWords } from './recent-figures.ts'
import { overlapping, type SetUpStep } from './set-up-steps.ts'

/** Also a form that has more fields. */
export type ExperimentForm = Omit<Form<ExperimentValues>, 'save' | 'reset'>

interface StepFieldsProps {
  step: Exclude<SetUpStep, 'review'>
  form: ExperimentForm
  /** Opens the panel of a new metric. */
  createMetric: () => void
  /** The id of the experiment, if it exists already. */
  id?: string
}

/** The fields of one step of the set-up. */
export function StepFields({ step, form, createMetric, id = '' }: StepFieldsProps) {
  const part: PartProps = { values: form.values, set: form.setAll, errorOf: form.error, live: undefined }
  switch (step) {
    case 'goal':
      return <Goal form={form} part={part} createMetric={createMetric} />
    case 'variations':
      return <Variations part={part} />
    case 'who':
      return <Who form={form} part={part} id={id} />
    case 'size':
      return <SizeFields form={form} id={id} />
  }
}

function Goal({ form, part, createMetric }: { form: ExperimentForm; part: PartProps; createMetric: () => void }) {
  return (
    <>
      <HypothesisField form={form} />
      <NameField {...part} description="For example: Shorter checkout form." />
      <MetricFields
        chosen={form.values.metrics}
        onChange={(metrics) => form.set('metrics', metrics)}
        error={form.error('metrics')}
      />
      <div>
        <Button variant="default" size="xs" onClick={createMetric}>
          Create a metric…
        </Button>
      </div>
      <Disclosure summary="Tags">
        <TagsField form={form} />
      </Disclosure>
    </>
  )
}

function Variations({ part }: { part: PartProps }) {
  const { params } = usePlace()
  const { flag, environment } = useTargeting()
  const inTest = new Set(part.values.variations.map(({ variationKey }) => variationKey))
  return (
    <>
      <SplitFields {...part} />
      <div>
        <Text size="sm" fw={600}>
          What visitors get
        </Text>
        <Stack gap={4} mt={4}>
          {flag.variations.map(
            ({ key, name, value }, at) =>
              inTest.has(key) && (
                <Text size="sm" key={key} component="div" truncate>
                  <Variation name={name} place={at} />: <code>{value}</code>
                </Text>
              ),
          )}
        </Stack>
      </div>
      <Always type="AB_TEST" values={part.values} set={part.set} />
      <Text size="sm">
        The test starts with the launch, also for these visitors. To see a variation in your program earlier, put your
        visitor id under <b>Individual visitors</b> on the page of the flag and publish.{' '}
        <TextLink
          to="/$org/$project/playground"
          params={params}
          search={{ env: environment.key, flag: flag.key, draft: true }}
          underline="always"
        >
          Try a visitor in the playground
        </TextLink>
      </Text>
    </>
  )
}

function Who({ form, part, id }: { form: ExperimentForm; part: PartProps; id: string }) {
  const { flag, environment } = useTargeting()
  const { data: experiments = [] } = useExperiments()
  const mine = {
    ...{ id, flagId: flag.id, envId: environment.id },
    exclusionGroupId: form.values.exclusionGroupId || null,
  }
  const others = overlapping(mine, experiments).map(({ name }) => name)
  return (
    <>
      <WhoFields {...part} issues={form.issues} />
      <TrafficField {...part} />
      {others.length > 0 && (
        <Notice title={`Visitors can be in ${others.length === 1 ? 'another test' : 'other tests'} too`}>
          {allOf(others, 5)} {others.length === 1 ? 'runs' : 'run'} in {environment.name}. If one test could affect the
          other, choose an exclusion group for both.
        </Notice>
      )}
      <ValidityFields {...part} />
      <DrawingFields {...part} />
    </>
  )
}

/** How many visitors the test needs. `id` is empty before it exists. */
export function SizeFields({ form, id }: { form: ExperimentForm; id: string }) {
  const { values, set } = form
  const { data: metrics } = useMetrics()
  const { data: recent, isLoading } = useRecentFigures(id)
  const decides = values.metrics.find(({ role }) => role === 'primary')
  const metric = metrics?.find(({ key }) => key === decides?.key)
  // The plan follows the calculation until a person types a plan.
  const calculated = useRef('')
  const plan = (units: number) => {
    calculated.current = units.toLocaleString('en')
    set('plannedUnits', calculated.current)
  }
  return (
    <>
      <NativeSelect
        {...form.field('test')}
        label="Results are read"
        description={
          values.test === 'FIXED_HORIZON'
            ? 'Figures are hidden until then, because looking earlier would make the result wrong. It needs fewer visitors.'
            : 'You can look whenever you like, and end the test as soon as a difference is shown.'
        }
        data={Object.entries(readWords).map(([value, label]) => ({ value, label }))}
      />
      {metric && (
        <Text size="sm">
          <b>{metric.name}</b> decides.
        </Text>
      )}
      {(recent || isLoading) && (
        // Its place is taken while it loads: the fields below must not move from under the focus.
        <Text size="sm" c="dimmed">
          {recent ? recentWords(recent, metric) : 'Looking for what was measured here in the last 14 days…'}
        </Text>
      )}
      <SizeCalculator
        key={metric?.id}
        known={recent ? knownSize(recent, metric?.key) : {}}
        fixed={{
          test: values.test,
          variations: String(values.variations.length),
          ...(metric && { type: metric.type === 'PROPORTION' ? ('PROPORTION' as const) : ('MEAN' as const) }),
        }}
        onChoose={plan}
        onAnswer={(units) => {
          if (['', calculated.current].includes(values.plannedUnits.trim())) plan(units)
        }}
      />
      <PlanField form={form} />
      <PausesField form={form} />
    </>
  )
}

/** Opens the panel of a new metric beside a form, and puts the metric into the form. */
export function useNewMetric(form: ExperimentForm) {
  const [isOpen, setIsOpen] = useState(false)
  return {
    createMetric: () => setIsOpen(true),
    panel: isOpen && {
      onClose: () => setIsOpen(false),
      done: ({ key }: { key: string }) =>
        form.set('metrics', [
          ...form.values.metrics,
          { key, role: form.values.metrics.some(({ role }) => role === 'primary') ? 'secondary' : 'primary' },
        ]),
    },
  }
}
