import { ActionIcon, Button, List, NativeSelect, Text, TextInput } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { randomKey } from '../../../idempotency.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { ApiForm } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Variation } from '../../../ui/names/variation.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { onlyIf, type Versioned, versioned } from '../../../versioned.ts'
import { type Flag, refreshFlag } from '../flags/flag-queries.ts'
import { ValueField } from './value-field.tsx'
import {
  bodyOf,
  defaultIn,
  type EditedVariation,
  fieldsOf,
  fieldWords,
  labelsOf,
  rowsIn,
  type VariationFields,
} from './variation-fields.ts'
import { faultOf, variationsMax, variationsMin } from './variation-values.ts'
import classes from './variations-section.module.css'

/** The variations of a flag. They are the same in every environment, and visitors get new values with the next publish. */
export function VariationsSection({ flag: { content: flag, etag } }: { flag: Versioned<Flag> }) {
  const { form, dialog } = useVariations(flag, etag)
  const { values, set, failure } = form
  const rows = rowsIn(values)
  const byDefault = defaultIn(values)
  const references = failure instanceof ApiError ? referencesIn(failure.details) : []
  const change = ({ row, ...before }: Row, field: 'name' | 'key' | 'value', text: string) => {
    if (field === 'key' && before.key === byDefault) set('defaultVariationKey', text)
    set(row, { ...before, [field]: text }, `${row}.${field}`)
  }
  const fresh = { name: '', key: '', value: flag.type === 'BOOLEAN' ? 'true' : '' }
  return (
    <Section
      title="Variations"
      description="The same in every environment. Visitors get new values with the next publish of each environment."
    >
      <ApiForm
        form={form}
        verb="Save variations"
        isSecondary
        failed="The variations were not saved"
        refusal={references.length > 0 && <References flag={flag} references={references} />}
        actions={
          rows.length < variationsMax && (
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => set(randomKey(), fresh)}
            >
              Add variation
            </Button>
          )
        }
      >
        {rows.map((row, at) => (
          <VariationRow
            key={row.row}
            row={row}
            place={at}
            type={flag.type}
            error={(field) => form.error(`${row.row}.${field}`)}
            onChange={(field, text) => change(row, field, text)}
            {...(rows.length > variationsMin && { onDelete: () => set(row.row, undefined) })}
          />
        ))}
        <NativeSelect
          {...form.field('defaultVariationKey')}
          label="Default"
          description="What visitors get while the flag is paused."
          data={[
            ...(hasDefault(rows, byDefault) ? [] : [{ value: byDefault, label: 'Choose one' }]),
            ...rows.map(({ key, name }) => ({ value: key, label: `${name} (${key})` })),
          ]}
        />
      </ApiForm>
      {dialog}
    </Section>
  )
}

/** A variation with the name of its field: its id, or a name of its own while it is not saved. */
type Row = EditedVariation & { row: string }

/** Variations are fields of their own, so that two people can edit two of them. */
function useVariations(flag: Flag, etag: string) {
  const client = useQueryClient()
  const changed = useChangedBy('flag', flag.id)
  const path = { projectId: flag.projectId, flagId: flag.id }
  const edit = useEditForm<VariationFields, Versioned<Flag>>({
    object: `variations:${flag.id}`,
    base: editedOf(flag, etag),
    partRules: (fields) => faultsIn(fields, flag.type),
    inputOf: ([list, at, field], fields) => {
      const isInput = list === 'variations' && ['name', 'key', 'value'].includes(String(field))
      const row = isInput ? rowsIn(fields)[Number(at)] : undefined
      return row && `${row.row}.${field}`
    },
    read: async () => {
      const current = versioned(await api.GET(flagPath, { params: { path } }))
      return editedOf(current.content, current.etag)
    },
    write: async (fields, since) =>
      versioned(
        await api.PUT(`${flagPath}/variations`, { params: { path, header: onlyIf(since) }, body: bodyOf(fields) }),
      ),
    done: async (saved) => {
      edit.begin(editedOf(saved.content, saved.etag))
      await refreshFlag(client)
      announce('Saved. Visitors get this with the next publish of each environment.')
    },
    who: changed?.name,
    labels: labelsOf,
    shown: fieldWords,
  })
  return edit
}

/** The default can be missing: its variation was deleted, here or by the other person of a conflict. */
const hasDefault = (rows: readonly Row[], byDefault: string): boolean => rows.some(({ key }) => key === byDefault)

function faultsIn(fields: VariationFields, type: Flag['type']): Record<string, string> {
  const rows = rowsIn(fields)
  const isDefaultMissing = !hasDefault(rows, defaultIn(fields))
  const faults = rows.flatMap(({ row, name, key, value }) => [
    [`${row}.name`, name.trim() === '' ? 'Enter a name.' : undefined],
    [`${row}.key`, key.trim() === '' ? 'Enter a key.' : undefined],
    [`${row}.value`, faultOf(type, value)],
  ])
  return Object.fromEntries([
    ...faults.filter(([, message]) => message !== undefined),
    ...(isDefaultMissing ? [['defaultVariationKey', 'Choose the default.']] : []),
  ])
}

interface VariationRowProps {
  row: Row
  place: number
  type: Flag['type']
  error: (field: 'name' | 'key' | 'value') => string | undefined
  onChange: (field: 'name' | 'key' | 'value', text: string) => void
  onDelete?: () => void
}

function VariationRow({ row, place, type, error, onChange, onDelete }: VariationRowProps) {
  const field = (name: 'name' | 'key' | 'value') => ({
    name: `${row.row}.${name}`,
    value: row[name],
    error: error(name),
    onChange: (event: { currentTarget: { value: string } }) => onChange(name, event.currentTarget.value),
  })
  return (
    <fieldset className={classes.row}>
      <legend className={classes.legend}>
        <Variation name={row.name || 'New variation'} place={place} />
      </legend>
      <TextInput {...field('name')} label="Name" autoComplete="off" />
      <TextInput {...field('key')} label="Key" autoComplete="off" spellCheck={false} />
      <ValueField type={type} {...field('value')} />
      {onDelete && (
        <ActionIcon
          className={classes.delete ?? ''}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Delete ${row.name || 'the new variation'}`}
          onClick={onDelete}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </fieldset>
  )
}

const flagPath = '/api/v1/projects/{projectId}/flags/{flagId}'

const editedOf = (flag: Flag, etag: string): Versioned<VariationFields> => ({
  content: fieldsOf(rowsOf(flag), flag.defaultVariationKey),
  etag,
})

const rowsOf = ({ variations }: Flag): Row[] =>
  variations.map(({ id, name, key, value }) => ({ id, name, key, value, row: id }))

interface Reference {
  type: 'default' | 'override' | 'rule'
  id: string
  envId: string
  variationKey: string
}

const referencesIn = ({ references }: ApiError['details']): Reference[] =>
  Array.isArray(references) ? (references as Reference[]) : []

const uses = { default: 'what everyone else gets', override: 'visitors who always get it', rule: 'a rule' }

/** The places that still use a removed variation, with links. */
function References({ flag, references }: { flag: Flag; references: readonly Reference[] }) {
  const { params, environments } = usePlace()
  const keys = [...new Set(references.map(({ variationKey }) => variationKey))]
  return (
    <Notice tone="warning" title={`Still used: ${keys.join(', ')}`} says="at once">
      <Text size="sm">Nothing was saved. Change these first:</Text>
      <List size="sm">
        {references.map(({ type, id, envId, variationKey }) => {
          const environment = environments.find((each) => each.id === envId)
          return (
            <List.Item key={`${type} ${id} ${envId}`}>
              <TextLink
                to="/$org/$project/flags/$flag"
                params={{ ...params, flag: flag.key }}
                search={{ ...(environment && { env: environment.key }), ...(type === 'rule' && { rule: id }) }}
                underline="always"
              >
                {uses[type]} in {environment?.name ?? 'another environment'}
              </TextLink>{' '}
              ({variationKey})
            </List.Item>
          )
        })}
      </List>
    </Notice>
  )
}
