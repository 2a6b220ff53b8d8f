import { TextInput } from '@mantine/core'
import type { Form } from '../../../ui/form/form.tsx'
import { ActionFields, EnvironmentField } from '../events/action-fields.tsx'
import type { DatasetValues } from './dataset-form.ts'

/** Which events count, where and for how long. */
export function InteractionFields({ form }: { form: Form<DatasetValues> }) {
  return (
    <>
      <EnvironmentField form={form} />
      <TextInput
        {...form.field('windowDays')}
        label="Days"
        description="How many are read. Leave this empty for 90, or for all that are kept if these are fewer."
        inputMode="numeric"
        autoComplete="off"
      />
      <ActionFields form={form} />
    </>
  )
}
