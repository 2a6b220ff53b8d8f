import { useRef } from 'react'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { ConditionText } from '../../../ui/conditions/condition-text.tsx'
import type { Condition } from '../../../ui/conditions/conditions.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import { type BoostRow, boostInWords } from './boost-form.ts'
import { itemWording } from './item-conditions.ts'
import { type Placement, placementPath, placementsPath, readPlacement } from './placement.ts'
import { OwnFields, VariantFields } from './placement-fields.tsx'
import {
  inputOf,
  labels,
  type PinRow,
  type PlacementValues,
  partFaults,
  rules,
  updateOf,
  valuesOf,
} from './placement-form.ts'
import { strategyName } from './placement-words.ts'

const filterShown = (filter: Condition) => <ConditionText condition={filter} names={itemWording} />

interface EditPlacementProps {
  placement: Versioned<Placement>
  /** The variant whose list is edited. */
  variant: string
  onClose: () => void
}

/** Edits a placement and one of its variants. The service takes variants as a whole, so each form knows its version. */
export function EditPlacement({ placement, variant, onClose }: EditPlacementProps) {
  const { project } = usePlace()
  const { content } = placement
  const done = useDone()
  const changed = useChangedBy('placement', content.id)
  const known = useRef(new Map<string, Placement>()).current
  const baseOf = (version: Versioned<Placement>): Versioned<PlacementValues> => {
    known.set(version.etag, version.content)
    return { content: valuesOf(version.content, variant), etag: version.etag }
  }
  const { form, dialog } = useEditForm<PlacementValues, unknown>({
    object: `placement:${content.id}:${variant}`,
    base: baseOf(placement),
    rules,
    partRules: partFaults,
    inputOf,
    read: async () => baseOf(await readPlacement(project.id, content.id)),
    write: async (values, etag) => {
      const body = updateOf(values, known.get(etag) ?? content, variant)
      const params = { path: { projectId: project.id, placementId: content.id }, header: onlyIf(etag) }
      return versioned(await api.PATCH(placementPath, { params, body }))
    },
    done: async (_answer, { name }) => {
      await done(`${name} saved.`, placementsPath, placementPath)
      onClose()
    },
    changed,
    labels,
    shown: (field, value) => {
      if (field === 'strategies') return (value as string[]).map(strategyName).join(', then ') || 'nothing'
      if (field === 'filter') return filterShown(value as Condition)
      if (field === 'boosts') return (value as BoostRow[]).map(boostInWords).join(', ') || 'none'
      if (field === 'pins') return (value as PinRow[]).map(({ key, position }) => `${key} at ${position}`).join(', ')
      return undefined
    },
  })
  return (
    <SidePanel
      title={`Edit ${content.name}`}
      {...(Object.keys(content.variants).length > 1 && { description: `The variant ${variant}` })}
      onClose={onClose}
    >
      <ApiForm form={form} verb="Save placement" summary="Visitors get it with their next list.">
        <OwnFields form={form} />
        <VariantFields form={form} />
      </ApiForm>
      {dialog}
    </SidePanel>
  )
}
