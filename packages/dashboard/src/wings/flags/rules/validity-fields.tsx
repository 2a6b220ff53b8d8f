import { Checkbox, NativeSelect, Stack } from '@mantine/core'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { percentOf } from '../../../ui/words/percent.ts'
import { useGroups, useHoldouts } from '../references/kept-apart.ts'
import type { RuleValues } from './rule-form.ts'

interface ValidityFieldsProps {
  values: RuleValues
  set: (next: Partial<RuleValues>) => void
  errorOf: (name: keyof RuleValues) => string | undefined
}

/** What keeps the visitors of a test apart from those of others. */
export function ValidityFields({ values, set, errorOf }: ValidityFieldsProps) {
  return (
    <Disclosure summary="Exclusion group, holdout, sticky variations">
      <Stack gap="sm">
        <KeptApartFields values={values} set={set} errorOf={errorOf} />
        <Checkbox
          label="Visitors keep their variation when the split changes"
          description="Works in clients that have a store for it."
          checked={values.sticky}
          onChange={(event) => set({ sticky: event.currentTarget.checked })}
        />
      </Stack>
    </Disclosure>
  )
}

type KeptApart = Pick<RuleValues, 'exclusionGroupId' | 'holdoutId'>

interface KeptApartProps {
  values: KeptApart
  set: (next: Partial<KeptApart>) => void
  errorOf: (name: keyof KeptApart) => string | undefined
}

/** The exclusion group and the holdout of a test. */
export function KeptApartFields({ values, set, errorOf }: KeptApartProps) {
  const { data: groups = [] } = useGroups()
  const { data: holdouts = [] } = useHoldouts()
  return (
    <>
      <NativeSelect
        name="exclusionGroupId"
        label="Exclusion group"
        description="A visitor is in at most one test of a group. The test gets a slot of the visitors when it is saved."
        value={values.exclusionGroupId}
        error={errorOf('exclusionGroupId')}
        onChange={(event) => set({ exclusionGroupId: event.currentTarget.value })}
        data={[
          { value: '', label: 'None' },
          ...groups.map(({ id, name, slotSize }) => ({
            value: id,
            label: `${name} (${percentOf(slotSize)} each)`,
          })),
        ]}
      />
      <NativeSelect
        name="holdoutId"
        label="Holdout"
        description="Its visitors stay out of this test."
        value={values.holdoutId}
        error={errorOf('holdoutId')}
        onChange={(event) => set({ holdoutId: event.currentTarget.value })}
        data={[
          { value: '', label: 'None' },
          ...holdouts
            .filter(({ id, archived }) => !archived || id === values.holdoutId)
            .map(({ id, name, share }) => ({ value: id, label: `${name} (${percentOf(share)})` })),
        ]}
      />
    </>
  )
}
