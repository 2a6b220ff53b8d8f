import { NativeSelect, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { indexPath } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm, type Form } from '../../../ui/form/form.tsx'
import { ownZone } from '../../../ui/time/zoned-time.ts'
import { useDone } from '../../../versioned.ts'
import { strategies } from '../recommendations/placement-words.ts'
import { ScheduleFields } from '../schedules/schedule-fields.tsx'
import { LearnsFromFields } from './dataset-field.tsx'
import { type Model, modelsPath } from './model.ts'
import { creationOf, inputOf, type ModelValues, newModel, partRules, rules } from './model-form.ts'
import { byHand, learnsFrom } from './model-words.ts'

/** The form of a new model. It serves after its first run, which its page starts. */
export function NewModel({ onClose }: { onClose: () => void }) {
  const { project, environments, params } = usePlace()
  const production = environments.find(({ key }) => key === 'production') ?? environments[0]
  const navigate = useNavigate()
  const done = useDone()
  const [zone] = useState(ownZone)
  const form = useNewForm<ModelValues, Model>({
    object: `new-recommendation-model:${project.id}`,
    initial: newModel(zone, production?.id),
    rules,
    partRules,
    inputOf,
    send: async (values) => {
      const { data } = await api.POST(modelsPath, {
        params: { path: { projectId: project.id }, header: onlyOnce() },
        body: creationOf(values),
      })
      return data!.data
    },
    done: async ({ key, name }) => {
      await navigate({
        to: '/$org/$project/commerce/models/$recommendation_model',
        params: { ...params, recommendation_model: key },
      })
      await done(`${name} created.`, modelsPath, indexPath)
    },
  })
  return (
    <SidePanel title="Create a recommendation model" onClose={onClose}>
      <ApiForm form={form} verb="Create recommendation model" summary="It serves from its first run on.">
        <TextInput {...form.field('name')} label="Name" autoComplete="off" />
        <StrategyFields form={form} />
        <ScheduleFields form={form} byHand={byHand} />
      </ApiForm>
    </SidePanel>
  )
}

const offered = Object.keys(learnsFrom) as Model['strategy'][]

function StrategyFields({ form }: { form: Form<ModelValues> }) {
  const { values, setAll } = form
  return (
    <>
      <NativeSelect
        {...form.field('strategy')}
        label="Strategy"
        description={strategies[values.strategy].about}
        data={offered.map((value) => ({ value, label: strategies[value].name }))}
        onChange={(event) => {
          const strategy = event.currentTarget.value as Model['strategy']
          const every = learnsFrom[strategy] === 'EVENTS' ? 'HOUR' : 'DAY'
          setAll({ strategy, datasetId: '', every, minutes: '45' })
        }}
      />
      <LearnsFromFields form={form} />
    </>
  )
}
