import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import type { Environment } from '../../../shell/place.ts'
import { missingCondition } from '../../../ui/conditions/condition-check.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { useFocusOfStep } from '../../../ui/layout/focus-of-step.ts'
import { Stepper } from '../../../ui/layout/stepper.tsx'
import { onlyIf, refresh, type Versioned, versioned } from '../../../versioned.ts'
import { type Flag, refreshFlag } from '../../flags/flags/flag-queries.ts'
import type { TargetingContext } from '../../flags/flags/targeting-place.ts'
import { fieldWords, type RuleValues } from '../../flags/rules/rule-form.ts'
import { MetricPanel } from '../metrics/metric-panel.tsx'
import { type Experiment, listPath, onePath, readExperiment } from './experiment.ts'
import { countRule, type ExperimentValues, labels, ownWords, updateOf, valuesOf } from './experiment-form.ts'
import { useKnownVersions } from './known-versions.ts'
import { LaunchChecklist, useReadiness } from './launch-checklist.tsx'
import { OnFlag } from './on-flag.tsx'
import { StepFields, useNewMetric } from './set-up-fields.tsx'
import { paragraphOf, type SetUpStep, setUpSteps, stepAfter } from './set-up-steps.ts'

interface SetUpProps {
  experiment: Versioned<Experiment>
  flag: Flag
  environment: Environment
  step: SetUpStep
  /** Opens another panel; none without a name. */
  go: (panel?: string) => void
}

type StepsProps = SetUpProps & { place: TargetingContext }

/** Sets up a draft in five steps. Each move saves, so the draft is never behind what is shown. */
export function SetUp(props: SetUpProps) {
  const { experiment, flag, environment, go } = props
  return (
    <SidePanel title={`Set up ${experiment.content.name}`} description={environment.name} onClose={() => go()}>
      <OnFlag flag={flag} environment={environment}>
        {(place) => <Steps {...props} place={place} />}
      </OnFlag>
    </SidePanel>
  )
}

function Steps(props: StepsProps) {
  const { experiment, flag, environment, step, go } = props
  const { content } = experiment
  const { form, dialog, saveAndGo } = useDraft(props)
  const { createMetric, panel } = useNewMetric(form)
  const heading = useFocusOfStep(step)
  const start = (
    <Title order={3} ref={heading} tabIndex={-1}>
      {titleOf(step)}
    </Title>
  )
  return (
    <Stack gap="md">
      <Stepper
        label="Steps"
        steps={setUpSteps}
        current={step}
        onStep={(to) => (step === 'review' ? go(to) : saveAndGo(to))}
      />
      {step === 'review' ? (
        <>
          {start}
          <Review experiment={content} flag={flag} environment={environment} go={go} />
        </>
      ) : (
        <ApiForm form={form} verb="Next" summary={`Saves the draft. Next: ${titleOf(stepAfter(step)).toLowerCase()}.`}>
          {start}
          <StepFields key={step} step={step} form={form} createMetric={createMetric} id={content.id} />
        </ApiForm>
      )}
      {dialog}
      {panel && <MetricPanel {...panel} />}
    </Stack>
  )
}

/** The form of the draft. A save goes to the next step, or where a person jumps to. */
function useDraft({ experiment, place, step, go }: StepsProps) {
  const { content, etag } = experiment
  const client = useQueryClient()
  const changed = useChangedBy('experiment', content.id)
  const target = useRef<SetUpStep>(undefined)
  const versions = useKnownVersions(experiment)
  const path = { projectId: content.projectId, experimentId: content.id }
  const { form, dialog, begin } = useEditForm<ExperimentValues, Versioned<Experiment>>({
    object: `experiment:${content.id}`,
    base: { content: valuesOf(content), etag },
    rules: {
      name: required('Enter a name.'),
      conditions: missingCondition,
      plannedUnits: countRule,
      maxUnits: countRule,
    },
    read: async () => {
      const latest = versions.keep(await readExperiment(content.projectId, content.id))
      return { content: valuesOf(latest.content), etag: latest.etag }
    },
    write: async (values, etag) => {
      const before = versions.at(etag)
      const body = updateOf(values, before)
      if (Object.keys(body).length === 0) return { content: before, etag }
      return versions.keep(versioned(await api.PATCH(onePath, { params: { path, header: onlyIf(etag) }, body })))
    },
    done: async (saved) => {
      begin({ content: valuesOf(saved.content), etag: saved.etag })
      await Promise.all([refreshFlag(client), refresh(client, listPath, onePath)])
      go(target.current ?? stepAfter(step))
      target.current = undefined
    },
    changed,
    labels,
    shown: (field, value) => ownWords(field, value) ?? fieldWords(field as keyof RuleValues, value, place.names),
  })
  const saveAndGo = (to: SetUpStep) => {
    target.current = to
    form.element.current?.requestSubmit()
  }
  return { form, dialog, saveAndGo }
}

const titleOf = (step: SetUpStep): string => setUpSteps.find((each) => each.step === step)!.title

interface ReviewProps {
  experiment: Experiment
  flag: Flag
  environment: Environment
  go: (panel?: string) => void
}

function Review({ experiment, flag, environment, go }: ReviewProps) {
  const { metricOf, ...readiness } = useReadiness(experiment, flag, environment)
  return (
    <Stack gap="md">
      <Text>{paragraphOf(experiment, { place: environment.name, flag: flag.name, metricOf })}</Text>
      <LaunchChecklist {...{ experiment, flag, environment, readiness, go }} />
      <Group gap="xs">
        <Button onClick={() => go('launch')}>Launch…</Button>
        <Button variant="default" onClick={() => go('schedule')}>
          Schedule…
        </Button>
        <Button variant="default" onClick={() => go()}>
          Leave as draft
        </Button>
      </Group>
    </Stack>
  )
}
