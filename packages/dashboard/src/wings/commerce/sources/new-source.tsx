import { Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { Stepper } from '../../../ui/layout/stepper.tsx'
import { ownZone } from '../../../ui/time/zoned-time.ts'
import { useDone } from '../../../versioned.ts'
import { FromFields } from './from-fields.tsx'
import { type Source, sourcesPath } from './source.ts'
import { creationOf, inputOf, newSource, rulesOf, type SourceValues } from './source-form.ts'
import { sourceSteps } from './source-steps.ts'

const rules = rulesOf(() => false)

/** The first step of a new source. The others are on its page: nothing is fetched before a person asks for it. */
export function NewSource({ onClose }: { onClose: () => void }) {
  const { project, environments, params } = usePlace()
  const production = environments.find(({ key }) => key === 'production') ?? environments[0]
  const navigate = useNavigate()
  const done = useDone()
  const form = useNewForm<SourceValues, Source>({
    object: `new-catalog-source:${project.id}`,
    initial: newSource(ownZone(), production?.id),
    rules,
    inputOf,
    secrets: ['secret'],
    send: async (values) => {
      const { data } = await api.POST(sourcesPath, {
        params: { path: { projectId: project.id }, header: onlyOnce() },
        body: creationOf(values),
      })
      return data!.data
    },
    done: async ({ key, name }) => {
      await navigate({
        to: '/$org/$project/commerce/sources/$catalog_source',
        params: { ...params, catalog_source: key },
        search: { panel: 'preview' },
      })
      await done(`${name} created.`, sourcesPath)
    },
  })
  return (
    <SidePanel title="Create a catalog source" onClose={onClose}>
      <Stack gap="md">
        <Stepper label="Steps" steps={sourceSteps} current="from" />
        <ApiForm form={form} verb="Create and preview" summary="Nothing of the file goes live yet. Next: preview.">
          <FromFields form={form} isNew />
        </ApiForm>
      </Stack>
    </SidePanel>
  )
}
