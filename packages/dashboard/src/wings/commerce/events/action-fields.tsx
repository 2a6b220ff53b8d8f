import { NativeSelect, TextInput } from '@mantine/core'
import { usePlace } from '../../../shell/place.ts'
import { Choices } from '../../../ui/form/choices.tsx'
import type { Form } from '../../../ui/form/form.tsx'
import { RowsField } from '../rows-field.tsx'
import type { ActionRow, ActionValues } from './action-rows.ts'

interface ActionFieldsProps<Values extends ActionValues> {
  form: Pick<Form<Values>, 'values' | 'set' | 'field' | 'error'>
}

/** Whose events are read. */
export function EnvironmentField<Values extends ActionValues>({ form }: ActionFieldsProps<Values>) {
  const { environments } = usePlace()
  return (
    <NativeSelect
      {...form.field('envId')}
      label="Environment"
      description="Whose events and orders are read."
      data={environments.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}

/** Which events count, and how much one of them does. */
export function ActionFields<Values extends ActionValues>({ form }: ActionFieldsProps<Values>) {
  const { values, set, error } = form
  const fault = (name: string) => error(name as never)
  return (
    <Choices
      legend="Events that count"
      name="actions"
      description="How much one of them counts. They are tracked with the id of a product; order stands for the products of an order."
      error={fault('actions')}
    >
      <RowsField<ActionRow>
        name="actions"
        rows={values.actions}
        empty={{ key: '', weight: '1' }}
        add="Add an event"
        nameOf={({ key }, at) => key || `event ${at + 1}`}
        onChange={(rows, input) => set('actions', rows as Values['actions'], input)}
      >
        {({ key, weight }, at, change) => (
          <>
            <TextInput
              name={`actions.${at}.key`}
              aria-label={`Event ${at + 1}`}
              placeholder="product_viewed"
              value={key}
              error={fault(`actions.${at}.key`)}
              onChange={(event) => change('key', event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
            />
            <TextInput
              name={`actions.${at}.weight`}
              aria-label={`Weight of event ${at + 1}`}
              leftSection="×"
              value={weight}
              error={fault(`actions.${at}.weight`)}
              onChange={(event) => change('weight', event.currentTarget.value)}
              inputMode="decimal"
              autoComplete="off"
              w={90}
            />
          </>
        )}
      </RowsField>
    </Choices>
  )
}
