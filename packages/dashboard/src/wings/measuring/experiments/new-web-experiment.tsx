import { ActionIcon, Button, NativeSelect, Radio, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { segmentOf } from '../../../shell/address.ts'
import { type KeptForm, useNewForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { SplitControl } from '../../../ui/form/split-control.tsx'
import { useFocusOfStep } from '../../../ui/layout/focus-of-step.ts'
import { Stepper } from '../../../ui/layout/stepper.tsx'
import { useDone } from '../../../versioned.ts'
import { MetricFields } from '../../flags/rules/metric-fields.tsx'
import { MetricPanel } from '../metrics/metric-panel.tsx'
import { listPath } from './experiment.ts'
import classes from './new-web-experiment.module.css'
import {
  addVariation,
  creationOfWeb,
  inputOf,
  maxVariations,
  type NewWebValues,
  namedVariations,
  newWebExperiment,
  panelOf,
  redirectFaults,
  removeVariation,
  rulesOf,
  stepOf,
  type WebStep,
  webStepAfter,
  webSteps,
} from './new-web-form.ts'
import { SizeFields, useNewMetric } from './set-up-fields.tsx'
import { isAddress, suggestedBy } from './targeting/pages.ts'

interface NewWebExperimentProps {
  step: WebStep
  onClose: () => void
}

type WebForm = KeptForm<NewWebValues>

/** Creates a web experiment in four steps: the page, the variations, the goals and the size. */
export function NewWebExperiment({ step, onClose }: NewWebExperimentProps) {
  const navigate = useNavigate()
  const go = (to: WebStep) =>
    void navigate({
      to: '.',
      search: ((old: object) => ({ ...old, panel: panelOf(to) })) as never,
      resetScroll: false,
    })
  const form = useDraftForm(step, go)
  const { createMetric, panel } = useNewMetric(form)
  const heading = useFocusOfStep(step)
  const next = webStepAfter(step)
  return (
    <SidePanel title="Create an experiment" onClose={onClose}>
      <Stack gap="md">
        <Stepper label="Steps" steps={webSteps} current={step} onStep={go} />
        <ApiForm
          form={form}
          verb={next ? 'Next' : 'Create draft'}
          summary={next ? `Next: ${titleOf(next).toLowerCase()}.` : 'Visitors get it when you launch it.'}
        >
          <Title order={3} ref={heading} tabIndex={-1}>
            {titleOf(step)}
          </Title>
          <Fields step={step} form={form} createMetric={createMetric} />
        </ApiForm>
      </Stack>
      {panel && <MetricPanel {...panel} />}
    </SidePanel>
  )
}

const titleOf = (step: WebStep): string => webSteps.find((each) => each.step === step)!.title

function useDraftForm(step: WebStep, go: (step: WebStep) => void): WebForm {
  const { environments, params, project } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const next = webStepAfter(step)
  const form = useNewForm<NewWebValues, { shortId: number; name: string } | null, undefined>({
    // A form of before, without redirects, would be kept as `new-web-experiment`.
    object: `create-web-experiment:${project.id}`,
    initial: newWebExperiment(environments[0]!.key),
    rules: rulesOf(step),
    partRules: (values) => redirectFaults(step, values),
    inputOf,
    send: async (values) => {
      if (next) return null
      const { data } = await api.POST(listPath, {
        params: { path: { projectId: project.id }, header: onlyOnce() },
        body: creationOfWeb(values) as never,
      })
      return data!.data
    },
    done: async (created) => {
      if (!created) return next && go(next)
      await navigate({
        to: '/$org/$project/experiments/$experiment',
        params: { ...params, experiment: segmentOf(created) },
      })
      return done(`${created.name} created as a draft.`, listPath)
    },
  })
  useFaultsElsewhere(form, step, go)
  return form
}

/** Goes to the step that has a fault, if this one has none. */
function useFaultsElsewhere({ faults }: WebForm, step: WebStep, go: (step: WebStep) => void) {
  const steps = faults.map(({ name }) => stepOf(name))
  const elsewhere = steps.length > 0 && !steps.includes(step) ? steps[0] : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes there once
  useEffect(() => {
    if (elsewhere) go(elsewhere)
  }, [elsewhere])
}

interface FieldsProps {
  step: WebStep
  form: WebForm
  createMetric: () => void
}

function Fields({ step, form, createMetric }: FieldsProps) {
  switch (step) {
    case 'page':
      return <PageStep form={form} />
    case 'variations':
      return <VariationsStep form={form} />
    case 'goals':
      return <GoalsStep form={form} createMetric={createMetric} />
    case 'size':
      return <SizeFields form={form} id="" />
  }
}

function PageStep({ form }: { form: WebForm }) {
  const { environments } = usePlace()
  const { values, set } = form
  return (
    <>
      <TextInput
        {...form.field('name')}
        label="Name"
        description="For example: Price in the headline."
        autoComplete="off"
        data-autofocus
      />
      <Textarea
        {...form.field('hypothesis')}
        label="Hypothesis"
        description="If we …, then …, because …"
        autosize
        minRows={2}
      />
      <TextInput
        {...form.field('address')}
        label="Address of the page"
        description="Where you open it. It decides nothing by itself."
        placeholder="https://shop.example/pricing"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      {isAddress(values.address) && (
        <Choices
          legend="Visitors take part on"
          name="where"
          description="The targeting page has more conditions."
          error={form.error('where')}
        >
          {suggestedBy(values.address).map(({ suggestion, label, means }) => (
            <Radio
              key={suggestion}
              name="where"
              label={label}
              description={means}
              checked={values.where === suggestion}
              onChange={() => set('where', suggestion)}
            />
          ))}
        </Choices>
      )}
      <NativeSelect
        {...form.field('envKey')}
        label="Environment"
        data={environments.map(({ key, name }) => ({ value: key, label: name }))}
      />
    </>
  )
}

function VariationsStep({ form }: { form: WebForm }) {
  const { values, set, setAll, faults } = form
  const { names, variations } = values
  const named = namedVariations(values)
  return (
    <>
      <Choices
        legend="Names"
        name="names"
        description="The first one is what visitors see today. Results compare the others with it."
      >
        {names.map((name, at) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the place of a variation is what names it
            key={at}
            className={classes.row}
          >
            <TextInput
              name={`names.${at}`}
              label={at === 0 ? 'Baseline' : `Variation ${at}`}
              value={name}
              error={faults.find((fault) => fault.name === `names.${at}`)?.message}
              onChange={({ currentTarget: { value } }) => set('names', names.with(at, value), `names.${at}`)}
              autoComplete="off"
            />
            {at > 0 && names.length > 2 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`Remove variation ${at}`}
                onClick={() => setAll(removeVariation(values, at))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </div>
        ))}
        {names.length < maxVariations && (
          <div>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => setAll(addVariation(values))}
            >
              Add variation
            </Button>
          </div>
        )}
      </Choices>
      <Redirects form={form} />
      <SplitControl
        label="Split"
        variations={named}
        weights={variations.map(({ weight }) => weight)}
        onChange={(weights) =>
          set(
            'variations',
            variations.map((each, at) => ({ ...each, weight: weights[at]! })),
          )
        }
        error={form.error('variations')}
      />
    </>
  )
}

/** Where the visitors of a variation go. Those of the baseline stay. */
function Redirects({ form }: { form: WebForm }) {
  const { names, redirects } = form.values
  return (
    <Choices
      legend="Redirects"
      name="redirects"
      description="Where visitors of a variation go that is a page of its own. Usually empty: the page changes instead."
      error={form.error('redirects')}
    >
      {names.slice(1).map((name, before) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: the place of a variation is what names it
          key={before}
          name={`redirects.${before + 1}`}
          label={`Address for ${name.trim() || `variation ${before + 1}`}`}
          value={redirects[before + 1] ?? ''}
          error={form.faults.find((fault) => fault.name === `redirects.${before + 1}`)?.message}
          onChange={({ currentTarget: { value } }) =>
            form.set('redirects', redirects.with(before + 1, value), `redirects.${before + 1}`)
          }
          placeholder="https://shop.example/pricing-b"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
      ))}
    </Choices>
  )
}

function GoalsStep({ form, createMetric }: { form: WebForm; createMetric: () => void }) {
  return (
    <>
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
      <Text size="sm" c="dimmed">
        Without a primary metric, the results contain no recommendation. You can choose one later.
      </Text>
    </>
  )
}
