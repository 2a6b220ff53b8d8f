import { ActionIcon, Button, Group, List, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { api } from '../../../api.ts'
import { randomKey } from '../../../idempotency.ts'
import { useChangedBy } from '../../../shell/live.tsx'
import { useMergedSave } from '../../../shell/merged-save.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useSession } from '../../../shell/session.ts'
import { ErrorSummary } from '../../../ui/form/error-summary.tsx'
import { useKept } from '../../../ui/form/kept-form.ts'
import { RestoredNotice } from '../../../ui/form/restored-notice.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Variation } from '../../../ui/names/variation.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { onlyIf, type Versioned, versioned } from '../../../versioned.ts'
import { type Flag, refreshFlag } from '../flags/flag-queries.ts'
import { ValueField } from './value-field.tsx'
import {
  bodyOf,
  type EditedVariation,
  fieldsOf,
  fieldWords,
  labelsOf,
  type VariationFields,
} from './variation-fields.ts'
import { faultOf, variationsMax, variationsMin } from './variation-values.ts'
import classes from './variations-section.module.css'

interface Row extends EditedVariation {
  /** Tells rows apart while they are edited: the id of a saved variation. */
  row: string
}

/** The variations of a flag. They are the same in every environment, and visitors get new values with the next publish. */
export function VariationsSection({ flag: { content: flag, etag } }: { flag: Versioned<Flag> }) {
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const changed = useChangedBy('flag', flag.id)
  const { user } = useSession()
  const asRead = (of: Versioned<Flag>) => ({
    rows: rowsOf(of.content),
    byDefault: of.content.defaultVariationKey,
    base: editedOf(of.content, of.etag),
  })
  const kept = useKept({
    place: { person: user.id, object: `variations:${flag.id}`, etag },
    initial: asRead({ content: flag, etag }),
  })
  const { rows, byDefault, base } = kept.values
  const setRows = (next: (all: Row[]) => Row[]) => kept.set({ rows: next(rows) })
  const setByDefault = (key: string) => kept.set({ byDefault: key })
  const [faults, setFaults] = useState<{ name: string; message: string }[]>([])
  const change = (row: string, next: Partial<Row>) => {
    const before = rows.find((each) => each.row === row)
    if (before?.key === byDefault && next.key !== undefined) setByDefault(next.key)
    setRows((all) => all.map((each) => (each.row === row ? { ...each, ...next } : each)))
  }
  const path = { projectId: flag.projectId, flagId: flag.id }
  const mine = fieldsOf(rows, byDefault)
  const done = async (saved: Versioned<Flag>) => {
    kept.set(asRead(saved))
    kept.forget()
    await refreshFlag(client)
    announce('Saved. Visitors get this with the next publish of each environment.')
  }
  const merged = useMergedSave<VariationFields, Versioned<Flag>>({
    base,
    read: async () => {
      const current = versioned(await api.GET(flagPath, { params: { path } }))
      return editedOf(current.content, current.etag)
    },
    write: async (fields, since) =>
      versioned(
        await api.PUT(`${flagPath}/variations`, { params: { path, header: onlyIf(since) }, body: bodyOf(fields) }),
      ),
    done,
    who: changed?.name,
    labels: labelsOf(base.content, mine),
    shown: fieldWords,
  })
  const save = useMutation({
    mutationFn: () => merged.send(mine),
    onSuccess: (saved) => saved && done(saved.answer),
    onError: (error) => {
      if (!(error instanceof ApiError)) return
      const found = error.issues.flatMap(({ path, message }) =>
        path[0] === 'variations' && path.length > 2 ? [{ name: `${path[1]}.${path[2]}`, message }] : [],
      )
      setFaults(found)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = rows.flatMap(({ name, key, value }, at) => [
      ...(name.trim() === '' ? [{ name: `${at}.name`, message: 'Enter a name.' }] : []),
      ...(key.trim() === '' ? [{ name: `${at}.key`, message: 'Enter a key.' }] : []),
      ...[faultOf(flag.type, value)].flatMap((message) => (message ? [{ name: `${at}.value`, message }] : [])),
    ])
    setFaults(found)
    if (found.length === 0) save.mutate()
    else if (found.length === 1)
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const references = save.error instanceof ApiError ? referencesIn(save.error.details) : []
  return (
    <Section
      title="Variations"
      description="The same in every environment. Visitors get new values with the next publish of each environment."
    >
      <form ref={form} className={classes.form} onSubmit={submit} noValidate>
        <Stack gap="md">
          {kept.isRestored && <RestoredNotice discard={kept.discard} />}
          {references.length > 0 ? (
            <References flag={flag} references={references} />
          ) : (
            <FailureNotice error={faults.length > 0 ? undefined : save.error} title="The variations were not saved" />
          )}
          <ErrorSummary faults={faults} form={form} />
          {rows.map((row, at) => {
            const field = (name: 'name' | 'key' | 'value') => ({
              name: `${at}.${name}`,
              value: row[name],
              error: faults.find((fault) => fault.name === `${at}.${name}`)?.message,
              onChange: (event: { currentTarget: { value: string } }) => {
                setFaults((all) => all.filter((fault) => fault.name !== `${at}.${name}`))
                change(row.row, { [name]: event.currentTarget.value })
              },
            })
            return (
              <fieldset key={row.row} className={classes.row}>
                <legend className={classes.legend}>
                  <Variation name={row.name || 'New variation'} place={at} />
                </legend>
                <TextInput {...field('name')} label="Name" autoComplete="off" />
                <TextInput {...field('key')} label="Key" autoComplete="off" spellCheck={false} />
                <ValueField type={flag.type} {...field('value')} />
                {rows.length > variationsMin && (
                  <ActionIcon
                    className={classes.delete ?? ''}
                    variant="subtle"
                    color="gray"
                    size="lg"
                    aria-label={`Delete ${row.name || 'the new variation'}`}
                    onClick={() => setRows((all) => all.filter((each) => each.row !== row.row))}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                )}
              </fieldset>
            )
          })}
          <NativeSelect
            label="Default"
            description="What visitors get while the flag is paused."
            value={byDefault}
            onChange={(event) => setByDefault(event.currentTarget.value)}
            data={rows.map(({ key, name }) => ({ value: key, label: `${name} (${key})` }))}
          />
          <Group gap="xs">
            <Button type="submit" variant="default" loading={save.isPending}>
              Save variations
            </Button>
            {rows.length < variationsMax && (
              <Button
                variant="default"
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() =>
                  setRows((all) => [
                    ...all,
                    { row: randomKey(), name: '', key: '', value: flag.type === 'BOOLEAN' ? 'true' : '' },
                  ])
                }
              >
                Add variation
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      {merged.dialog}
    </Section>
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

const uses = { default: 'what everybody else gets', override: 'visitors who always get it', rule: 'a rule' }

/** Where a variation that was taken out is still given, with links. */
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
