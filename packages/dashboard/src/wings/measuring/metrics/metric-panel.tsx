import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { indexPath } from '../../../shell/index-query.ts'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm, type Form } from '../../../ui/form/form.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { percent } from '../../../ui/words/percent.ts'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { listPath, onePath, readMetric } from './metric.ts'
import {
  definitionOf,
  fresh,
  keyFrom,
  labels,
  type MetricValues,
  measures,
  rules,
  valuesOf,
  wordsOf,
} from './metric-form.ts'
import { directionInWords, type Metric, sentenceOf } from './metric-words.ts'
import { TriggerFields } from './trigger-fields.tsx'

interface MetricPanelProps {
  /** Without it, the panel creates a metric. */
  metric?: Versioned<Metric>
  onClose: () => void
  done?: (metric: Metric) => unknown
}

/** Creates or edits a metric as a sentence. */
export function MetricPanel(props: MetricPanelProps) {
  const { metric, onClose } = props
  return (
    <SidePanel title={metric ? `Edit ${metric.content.name}` : 'Create a metric'} onClose={onClose}>
      <MetricForm {...props} />
    </SidePanel>
  )
}

function MetricForm({ metric, onClose, done: created }: MetricPanelProps) {
  const { project } = usePlace()
  const done = useDone()
  const changed = useChangedBy('metric', metric?.content.id ?? '')
  const metricId = metric?.content.id ?? ''
  const path = { projectId: project.id, metricId }
  const isInUse = metric?.content.inUse === true
  const { form, dialog } = useEditForm<MetricValues, Metric>({
    object: metric ? `metric:${metricId}` : `new-metric:${project.id}`,
    base: metric ? { content: valuesOf(metric.content), etag: metric.etag } : { content: fresh, etag: '' },
    rules,
    read: async () => {
      const { content, etag } = await readMetric(project.id, metricId)
      return { content: valuesOf(content), etag }
    },
    write: async (values, etag) => {
      const { key, name } = values
      const { data } = metric
        ? await api.PATCH(onePath, {
            params: { path, header: onlyIf(etag) },
            body: { name, ...(!isInUse && definitionOf(values)) },
          })
        : await api.POST(listPath, {
            params: { path, header: onlyOnce() },
            body: { key: key.trim(), name, ...definitionOf(values) },
          })
      return data!.data
    },
    done: async (saved) => {
      await done(`${saved.name} ${metric ? 'saved' : 'created'}.`, listPath, onePath, indexPath)
      onClose()
      await created?.(saved)
    },
    changed,
    labels,
    shown: wordsOf,
  })
  return (
    <>
      <ApiForm form={form} verb={metric ? 'Save metric' : 'Create metric'}>
        {isInUse && (
          <Notice title="A test that has started uses this metric">
            You can rename it. To measure something else, create another metric.
          </Notice>
        )}
        <Name form={form} isNew={!metric} />
        {!isInUse && <Definition form={form} />}
      </ApiForm>
      {dialog}
    </>
  )
}

interface PartProps {
  form: Form<MetricValues>
}

/** The key follows the name until it is typed itself. */
function Name({ form, isNew }: PartProps & { isNew: boolean }) {
  const { values, set } = form
  return (
    <>
      <TextInput
        {...form.field('name')}
        label="Name"
        description="For example: Paid orders."
        onChange={(event) => {
          const name = event.currentTarget.value
          if (isNew && values.key === keyFrom(values.name)) set('key', keyFrom(name))
          set('name', name)
        }}
        autoComplete="off"
      />
      {isNew && (
        <TextInput
          {...form.field('key')}
          label="Key"
          description="Rules and API calls use this key. You cannot change it later."
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </>
  )
}

function Definition({ form }: PartProps) {
  const { project } = usePlace()
  const { values, set } = form
  const { type } = values
  const totals = [
    { value: 'count', label: 'Number of events' },
    { value: 'value', label: 'Total value' },
  ]
  return (
    <>
      <Sentence values={values} />
      <NativeSelect
        {...form.field('type')}
        label="Measure"
        data={Object.entries(measures).map(([value, label]) => ({ value, label }))}
      />
      {type === 'RATIO' && (
        <NativeSelect {...form.field('valueFrom')} label="What is counted of the event" data={totals} />
      )}
      <TextInput
        {...form.field('eventKey')}
        label="Event"
        description="The key that your program tracks, for example: order_paid."
        autoComplete="off"
        spellCheck={false}
      />
      {project.type === 'WEB' && <TriggerFields form={form} />}
      {type === 'RATIO' && (
        <>
          <TextInput
            {...form.field('denominator')}
            label="Divided by the event"
            autoComplete="off"
            spellCheck={false}
          />
          <NativeSelect {...form.field('denominatorFrom')} label="What is counted of that event" data={totals} />
        </>
      )}
      <Group align="flex-end" grow wrap="nowrap">
        <TextInput
          {...form.field('conversionWindowHours')}
          label="Within"
          description="After the first time in the test."
          inputMode="numeric"
          autoComplete="off"
        />
        <NativeSelect {...form.field('windowIn')} label="Days or hours" data={['days', 'hours']} />
      </Group>
      <NativeSelect
        name="direction"
        label="Good direction"
        value={values.direction}
        onChange={(event) => set('direction', event.currentTarget.value as Metric['direction'])}
        data={(['INCREASE', 'DECREASE'] as const).map((value) => ({ value, label: directionInWords(value) }))}
      />
      <UnitCapAndMargin form={form} />
    </>
  )
}

function UnitCapAndMargin({ form }: PartProps) {
  const { type } = form.values
  return (
    <Disclosure summary="Unit, cap and margin">
      <Stack gap="sm">
        {type !== 'SHARE' && (
          <TextInput {...form.field('unit')} label="Unit" description="Shown with figures, for example: EUR." />
        )}
        {(type === 'COUNT' || type === 'VALUE') && (
          <TextInput
            {...form.field('winsorizeAt')}
            label="Cap at percentile"
            description={`With 99.9, the highest ${percent(0.1)} of visitors count no more than the next ones. A few visitors then cannot decide the test.`}
            inputMode="decimal"
          />
        )}
        <TextInput
          {...form.field('nonInferiorityMargin')}
          label="Margin as a guardrail, in percent"
          description={`How much worse a variation can be. With 2, a loss of up to ${percent(2)} of the baseline is accepted.`}
          inputMode="decimal"
        />
      </Stack>
    </Disclosure>
  )
}

/** What the form says so far. */
function Sentence({ values }: { values: MetricValues }) {
  const definition = definitionOf(values)
  const filled = {
    ...definition,
    eventKey: definition.eventKey || '…',
    denominator: definition.denominator && {
      ...definition.denominator,
      eventKey: definition.denominator.eventKey || '…',
    },
    conversionWindowHours: definition.conversionWindowHours || 0,
  }
  return (
    <Text size="sm" fw={600} role="status">
      {sentenceOf(filled)}.
    </Text>
  )
}
