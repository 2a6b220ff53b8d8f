import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { useDone } from '../../../versioned.ts'
import { type Placement, placementsPath } from './placement.ts'
import { OwnFields, VariantFields } from './placement-fields.tsx'
import { creationOf, inputOf, newPlacement, type PlacementValues, partFaults, rules } from './placement-form.ts'

/** The form of a new placement. Its page then shows what visitors would get. */
export function NewPlacement({ onClose }: { onClose: () => void }) {
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const form = useNewForm<PlacementValues, Placement>({
    object: `new-placement:${project.id}`,
    initial: newPlacement,
    rules,
    partRules: partFaults,
    inputOf,
    send: async (values) => {
      const { data } = await api.POST(placementsPath, {
        params: { path: { projectId: project.id }, header: onlyOnce() },
        body: creationOf(values),
      })
      return data!.data
    },
    done: async ({ key, name }) => {
      await navigate({
        to: '/$org/$project/commerce/placements/$placement',
        params: { ...params, placement: key },
      })
      await done(`${name} created.`, placementsPath)
    },
  })
  return (
    <SidePanel title="Create a placement" onClose={onClose}>
      <ApiForm form={form} verb="Create placement" summary="Visitors get it when your pages ask for it.">
        <OwnFields form={form} />
        <VariantFields form={form} />
      </ApiForm>
    </SidePanel>
  )
}
