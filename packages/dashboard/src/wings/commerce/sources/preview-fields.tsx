import { NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useId } from 'react'
import { Choices } from '../../../ui/form/choices.tsx'
import { Suggestions } from '../../../ui/form/suggestions.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { RowsField } from '../rows-field.tsx'
import type { Source } from './source.ts'
import type { SourceForm } from './source-fields.tsx'
import type { MappedColumn } from './source-form.ts'
import { encodings, fieldName, fieldsOf, formatsOf } from './source-words.ts'

const shownColumns = 12

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))

interface ReadingFieldsProps {
  form: SourceForm
  type: Source['type']
  /** Columns that the last preview has kept as attributes. */
  columns: readonly string[]
}

/** How the rows of the file are read. */
export function ReadingFields({ form, type, columns }: ReadingFieldsProps) {
  const { values, set } = form
  const isUsual = values.format === 'AUTO' && values.encoding === 'utf-8' && values.mapping.length === 0
  return (
    <>
      <TextInput
        {...form.field('defaultCurrency')}
        label={type === 'PRODUCTS' ? 'Currency of prices without one' : 'Currency of amounts without one'}
        description={
          type === 'SUPPLEMENT'
            ? 'A code such as EUR. Leave it empty if amounts are in the currency of their item.'
            : `A code such as EUR. Without it, ${type === 'ORDERS' ? 'an order without a currency' : 'a row whose price has no currency'} is skipped.`
        }
        placeholder="EUR"
        maxLength={3}
        autoComplete="off"
        spellCheck={false}
      />
      <Disclosure summary="Format and columns" isOpenAtFirst={!isUsual}>
        <Stack gap="md">
          <NativeSelect
            {...form.field('format')}
            label="Format"
            data={optionsOf(formatsOf(type))}
            onChange={(event) => set('format', event.currentTarget.value as Source['format'])}
          />
          <NativeSelect
            {...form.field('encoding')}
            label="Encoding"
            description="Of a file that does not say it."
            data={optionsOf(encodings)}
            onChange={(event) => set('encoding', event.currentTarget.value as Source['encoding'])}
          />
          <Mapping form={form} type={type} columns={columns} />
        </Stack>
      </Disclosure>
    </>
  )
}

const others: Record<Source['type'], string> = {
  PRODUCTS:
    'The names of Google, OpenAI and Shopify are known. Every other column becomes an attribute, unless it is a field here.',
  SUPPLEMENT: 'The names of Google, OpenAI and Shopify are known. Name only what is called otherwise.',
  ORDERS: 'Columns such as order_id and placed_at are known. Name only what is called otherwise.',
}

/** A field that was chosen before stays to be seen. */
const withChosen = (fields: Record<string, string>, chosen: string): Record<string, string> =>
  chosen === '' || chosen in fields ? fields : { ...fields, [chosen]: fieldName(chosen) }

/** Our fields and the columns that they come from, where those have names of their own. */
function Mapping({ form, type, columns }: ReadingFieldsProps) {
  const { values, set, error } = form
  const id = useId()
  const nameOf = ({ key }: MappedColumn, at: number) => (key === '' ? `field ${at + 1}` : fieldName(key))
  return (
    <Choices legend="Columns" name="mapping" description={others[type]} error={error('mapping')}>
      <RowsField<MappedColumn>
        name="mapping"
        rows={values.mapping}
        empty={{ key: '', column: '' }}
        add="Add a column"
        nameOf={nameOf}
        onChange={(rows, input) => set('mapping', rows, input)}
      >
        {(row, at, change) => (
          <>
            <NativeSelect
              aria-label={`Field ${at + 1}`}
              name={`mapping.${at}.key`}
              value={row.key}
              data={[
                { value: '', label: 'Choose a field' },
                ...optionsOf(withChosen(fieldsOf(type, values.fields), row.key)),
              ]}
              error={error(`mapping.${at}.key` as never)}
              onChange={(event) => change('key', event.currentTarget.value)}
            />
            <TextInput
              aria-label={`Column of ${nameOf(row, at)}`}
              name={`mapping.${at}.column`}
              value={row.column}
              placeholder="Name of the column"
              list={id}
              error={error(`mapping.${at}.column` as never)}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change('column', event.currentTarget.value)}
            />
          </>
        )}
      </RowsField>
      <Suggestions id={id} values={columns} />
      {columns.length > 0 && (
        <Text size="xs" c="dimmed">
          Attributes of the rows above: {allOf(columns, shownColumns)}.
        </Text>
      )}
    </Choices>
  )
}
