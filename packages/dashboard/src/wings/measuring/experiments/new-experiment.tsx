import { Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { segmentOf } from '../../../shell/address.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Stepper } from '../../../ui/layout/stepper.tsx'
import { useDone } from '../../../versioned.ts'
import { type Flag, useFlag } from '../../flags/flags/flag-queries.ts'
import { MetricPanel } from '../metrics/metric-panel.tsx'
import { ChooseFlag } from './choose-flag.tsx'
import { listPath } from './experiment.ts'
import { countRule, creationOf, type ExperimentValues, newExperiment } from './experiment-form.ts'
import { OnFlag } from './on-flag.tsx'
import { StepFields, useNewMetric } from './set-up-fields.tsx'
import { setUpSteps, stepAfter } from './set-up-steps.ts'

interface NewExperimentProps {
  /** Chosen at first. */
  flagKey?: string | undefined
  environmentKey?: string | undefined
  onClose: () => void
}

/** The form of a new experiment: first the flag and the environment, then what is tested. */
export function NewExperiment({ onClose, ...given }: NewExperimentProps) {
  const { environments } = usePlace()
  const index = useProjectIndex()
  const typed = useRef<Typed>({})
  const flags = (index.data?.flags ?? []).filter(({ status }) => status !== 'ARCHIVED')
  const [key, setKey] = useState(given.flagKey ?? '')
  const [environmentKey, setEnvironmentKey] = useState(given.environmentKey ?? environments[0]!.key)
  const environment = environments.find((each) => each.key === environmentKey) ?? environments[0]!
  return (
    <SidePanel title="Create an experiment" onClose={onClose}>
      <Stack gap="md">
        <Stepper label="Steps" steps={setUpSteps} current="goal" />
        <ChooseFlag
          flags={flags}
          flagKey={key}
          setFlagKey={setKey}
          environmentKey={environment.key}
          setEnvironmentKey={setEnvironmentKey}
        />
        {key !== '' ? (
          <OfFlag key={`${key} ${environment.id}`} flagKey={key} environment={environment} typed={typed} />
        ) : (
          <Text size="sm" c="dimmed">
            Choose a flag to continue.
          </Text>
        )}
      </Stack>
    </SidePanel>
  )
}

/** What does not depend on the flag. It is kept when another one is chosen. */
type Typed = Partial<Pick<ExperimentValues, 'name' | 'hypothesis' | 'metrics' | 'tags'>>

const filledIn = ({ name, hypothesis, metrics, tags }: Typed): Typed => ({
  ...(name && { name }),
  ...(hypothesis && { hypothesis }),
  ...(metrics && metrics.length > 0 && { metrics }),
  ...(tags && tags.length > 0 && { tags }),
})

interface OfFlagProps {
  flagKey: string
  environment: Environment
  typed: RefObject<Typed>
}

function OfFlag({ flagKey, environment, typed }: OfFlagProps) {
  const query = useFlag(flagKey)
  return (
    <Loaded query={query} lines={4}>
      {({ content }) => (
        <OnFlag flag={content} environment={environment}>
          {() => <Definition flag={content} environment={environment} typed={typed} />}
        </OnFlag>
      )}
    </Loaded>
  )
}

function Definition({ flag, environment, typed }: { flag: Flag } & Omit<OfFlagProps, 'flagKey'>) {
  const { params, project } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const form = useNewForm<ExperimentValues, { shortId: number; name: string }>({
    object: `new-experiment:${flag.id}:${environment.id}`,
    initial: newExperiment(flag),
    rules: {
      name: required('Enter a name.'),
      plannedUnits: countRule,
      maxUnits: countRule,
    },
    send: async (values) => {
      const { data } = await api.POST(listPath, {
        params: { path: { projectId: project.id }, header: onlyOnce() },
        body: creationOf(values, { flagId: flag.id, envId: environment.id }) as never,
      })
      return data!.data
    },
    done: async (created) => {
      await navigate({
        to: '/$org/$project/experiments/$experiment',
        params: { ...params, experiment: segmentOf(created) },
        search: { panel: stepAfter('goal') },
      })
      await done(`${created.name} created as a draft.`, listPath)
    },
  })
  const { createMetric, panel } = useNewMetric(form)
  const { name, hypothesis, metrics, tags } = form.values
  // Another flag begins with what was typed for the one before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the flag was chosen
  useEffect(() => {
    form.setAll(filledIn(typed.current))
  }, [])
  useEffect(() => {
    typed.current = { name, hypothesis, metrics, tags }
  }, [typed, name, hypothesis, metrics, tags])
  return (
    <>
      <ApiForm
        form={form}
        verb="Create draft"
        summary={`Next: variations. Visitors get it when you launch it in ${environment.name}.`}
      >
        <StepFields step="goal" form={form} createMetric={createMetric} />
      </ApiForm>
      {panel && <MetricPanel {...panel} />}
    </>
  )
}
