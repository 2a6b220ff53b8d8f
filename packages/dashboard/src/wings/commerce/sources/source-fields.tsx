import { Radio, Text, TextInput } from '@mantine/core'
import { Choices } from '../../../ui/form/choices.tsx'
import type { Form } from '../../../ui/form/form.tsx'
import { PercentField } from '../../../ui/form/percent-field.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { ScheduleFields } from '../schedules/schedule-fields.tsx'
import type { Source } from './source.ts'
import type { SourceValues } from './source-form.ts'
import { modeInWords } from './source-words.ts'

/** Also a form whose buttons wish for more. */
export type SourceForm = Pick<Form<SourceValues>, 'values' | 'set' | 'setAll' | 'field' | 'error'>

export interface SourceFieldsProps {
  form: SourceForm
  /** The sign-in that is saved. */
  kept?: Source['auth'] | undefined
}

const breaks: Record<Source['type'], string> = {
  PRODUCTS: 'Feeds break: they come half empty, or with cents in place of euros.',
  SUPPLEMENT: 'Files break: they come half empty, or with the ids of a different shop.',
  ORDERS: 'Exports break: a column is renamed, or times lose their format.',
}

const skipped: Record<Source['type'], string> = {
  PRODUCTS: 'Rows without an id, a title, a link or a price, and the like. All shares count from 50 on.',
  SUPPLEMENT: 'Rows about items that the catalog does not have, and the like. All shares count from 50 on.',
  ORDERS: 'Orders without a time, a total or a line, and the like. It counts from 50 orders on.',
}

/** What a sync removes, and when it is held. */
export function GuardFields({ form, type }: { form: SourceForm; type: Source['type'] }) {
  const { values, set } = form
  const isFull = values.mode === 'FULL'
  const share = (name: 'maxRemovedShare' | 'maxSkippedShare' | 'maxPriceShiftShare') => ({
    ...{ name, value: values[name], error: form.error(name) },
    onChange: (basisPoints: number) => set(name, basisPoints),
  })
  return (
    <>
      {type !== 'ORDERS' && (
        <Choices legend="What a sync removes" name="mode">
          {(['FULL', 'DELTA'] as const).map((mode) => (
            <Radio
              key={mode}
              name="mode-choice"
              value={mode}
              label={modeInWords(mode, type)}
              description={
                mode === 'FULL'
                  ? type === 'PRODUCTS'
                    ? 'Each file has the whole catalog.'
                    : 'Each file has all values.'
                  : 'Each file has only what has changed.'
              }
              checked={values.mode === mode}
              onChange={() => set('mode', mode)}
            />
          ))}
        </Choices>
      )}
      <Text size="sm">
        {breaks[type]} Beyond these limits, a file is held. Then nothing of it goes live until a person has looked at
        the numbers and applies it.
      </Text>
      {isFull && type !== 'ORDERS' && (
        <PercentField
          {...share('maxRemovedShare')}
          {...(type === 'PRODUCTS'
            ? { label: 'Items that a sync can remove', description: 'Of the items that this source has brought.' }
            : { label: 'Items that can lose their values', description: 'Of the items that it describes.' })}
        />
      )}
      <PercentField
        {...share('maxSkippedShare')}
        label={type === 'ORDERS' ? 'Orders that can be skipped' : 'Rows that a sync can skip'}
        description={skipped[type]}
      />
      {type === 'PRODUCTS' && (
        <PercentField
          {...share('maxPriceShiftShare')}
          label="Items whose price can shift"
          description="Prices that more than double, fall below half, or change their currency."
        />
      )}
      {isFull && type !== 'ORDERS' && (
        <TextInput
          {...form.field('minItems')}
          label="Fewest items in a file"
          description="A file with fewer is held, also the first one."
          inputMode="numeric"
          w={160}
          autoComplete="off"
        />
      )}
    </>
  )
}

/** When the source is synced by itself. */
export function SourceSchedule({ form }: { form: SourceForm }) {
  if (form.values.from === 'FILE')
    return (
      <Notice title="A schedule needs an address">
        Each file is read when it is sent. To fetch it by a schedule, give the source the address of the file.
      </Notice>
    )
  return (
    <ScheduleFields
      form={form}
      byHand="Someone asks for it: here, by the API, or with svc source sync."
      onMinutes="Feeds are often written on the hour, so a few minutes later is safe."
    />
  )
}
