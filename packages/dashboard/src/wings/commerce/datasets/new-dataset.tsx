import { Radio, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { indexPath } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { ownZone } from '../../../ui/time/zoned-time.ts'
import { useDone } from '../../../versioned.ts'
import { ScheduleFields } from '../schedules/schedule-fields.tsx'
import { type Dataset, datasetsPath } from './dataset.ts'
import { creationOf, type DatasetValues, inputOf, newDataset, partRules, rules } from './dataset-form.ts'
import { byHand, kinds } from './dataset-words.ts'
import { InteractionFields } from './interaction-fields.tsx'

/** The form of a new dataset. Its page then derives the first version, or says how to send a file. */
export function NewDataset({ onClose }: { onClose: () => void }) {
  const { project, environments, params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const [zone] = useState(ownZone)
  const production = environments.find(({ key }) => key === 'production') ?? environments[0]
  const form = useNewForm<DatasetValues, Dataset>({
    object: `new-dataset:${project.id}`,
    initial: newDataset(zone, production?.id ?? ''),
    rules,
    partRules,
    inputOf,
    send: async (values) => {
      const { data } = await api.POST(datasetsPath, {
        params: { path: { projectId: project.id }, header: onlyOnce() },
        body: creationOf(values),
      })
      return data!.data
    },
    done: async ({ key, name }) => {
      await navigate({ to: '/$org/$project/commerce/datasets/$dataset', params: { ...params, dataset: key } })
      await done(`${name} created.`, datasetsPath, indexPath)
    },
  })
  const { values, set } = form
  return (
    <SidePanel title="Create a dataset" onClose={onClose}>
      <ApiForm form={form} verb="Create dataset" summary="It has no version yet. Its page derives the first one.">
        <TextInput {...form.field('name')} label="Name" autoComplete="off" />
        <Choices legend="What it contains" name="kind">
          {(['INTERACTIONS', 'NEIGHBOURS'] as const).map((kind) => (
            <Radio
              key={kind}
              name="kind-choice"
              value={kind}
              label={kinds[kind]}
              checked={values.kind === kind}
              onChange={() => set('kind', kind)}
            />
          ))}
        </Choices>
        {values.kind === 'NEIGHBOURS' ? (
          <Text size="sm">You send its rows as a file: on its page, with the command line or the API.</Text>
        ) : (
          <>
            <InteractionFields form={form} />
            <ScheduleFields form={form} byHand={byHand} />
          </>
        )}
      </ApiForm>
    </SidePanel>
  )
}
