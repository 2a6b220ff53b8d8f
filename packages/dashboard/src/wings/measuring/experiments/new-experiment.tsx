import { NativeSelect, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { segmentOf } from '../../../shell/address.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { ApiForm, required } from '../../../ui/form.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { useDone } from '../../../versioned.ts'
import { type Flag, useFlag } from '../../flags/flags/flag-queries.ts'
import { listPath } from './experiment.ts'
import { ExperimentFields, OwnFields } from './experiment-fields.tsx'
import { creationOf, type ExperimentValues, newExperiment, plannedRule } from './experiment-form.ts'
import { OnFlag } from './on-flag.tsx'

/** The form of a new experiment: first the flag and the environment, then what is tested. */
export function NewExperiment({ onClose }: { onClose: () => void }) {
  const { environments, params } = usePlace()
  const index = useProjectIndex()
  const flags = (index.data?.flags ?? []).filter(({ status }) => status !== 'ARCHIVED')
  const [key, setKey] = useState('')
  const [environmentKey, setEnvironmentKey] = useState(environments[0]!.key)
  const environment = environments.find((each) => each.key === environmentKey) ?? environments[0]!
  return (
    <SidePanel title="Create an experiment" onClose={onClose}>
      <Stack gap="md">
        {index.data && flags.length === 0 ? (
          <Notice
            title="There is no flag to test"
            actions={
              <TextLink to="/$org/$project/flags" params={params}>
                Create a flag
              </TextLink>
            }
          >
            An experiment gives visitors the variations of a flag.
          </Notice>
        ) : (
          <>
            <NativeSelect
              label="Flag"
              description="Its variations are compared."
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              data={[
                { value: '', label: 'Choose a flag…' },
                ...flags.map(({ key, name }) => ({ value: key, label: `${name} (${key})` })),
              ]}
              data-autofocus
            />
            <NativeSelect
              label="Environment"
              value={environment.key}
              onChange={(event) => setEnvironmentKey(event.currentTarget.value)}
              data={environments.map(({ key, name }) => ({ value: key, label: name }))}
            />
          </>
        )}
        {key !== '' && <OfFlag key={`${key} ${environment.id}`} flagKey={key} environment={environment} />}
      </Stack>
    </SidePanel>
  )
}

function OfFlag({ flagKey, environment }: { flagKey: string; environment: Environment }) {
  const query = useFlag(flagKey)
  return (
    <Loaded query={query} lines={4}>
      {({ content }) => (
        <OnFlag flag={content} environment={environment}>
          {() => <Definition flag={content} environment={environment} />}
        </OnFlag>
      )}
    </Loaded>
  )
}

function Definition({ flag, environment }: { flag: Flag; environment: Environment }) {
  const { params, project } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const form = useNewForm<ExperimentValues, { shortId: number; name: string }>({
    object: `new-experiment:${flag.id}:${environment.id}`,
    initial: newExperiment(flag),
    rules: {
      name: required('Enter a name.'),
      plannedUnits: plannedRule,
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
      })
      await done(`${created.name} created. Launch it when it is ready.`, listPath)
    },
  })
  return (
    <ApiForm form={form} verb="Create experiment" summary={`It is a draft until you launch it in ${environment.name}.`}>
      <ExperimentFields form={form} live={undefined} />
      <OwnFields form={form} isOver={false} />
    </ApiForm>
  )
}
