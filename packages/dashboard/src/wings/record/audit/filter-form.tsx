import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { server } from '../../../api.ts'
import { useAllProjects } from '../../../shell/all-projects.ts'
import { useOrganization } from '../../../shell/session.ts'
import type { AuditSearch } from './filter.ts'
import classes from './filter-form.module.css'
import { actionChoices, objectChoices } from './phrases.ts'

interface FilterFormProps {
  search: AuditSearch
  apply: (search: AuditSearch) => void
}

/** Filters by time, actor, action and object. An entry must match all given filters. */
export function FilterForm({ search, apply }: FilterFormProps) {
  const [values, setValues] = useState(search)
  const actors = useActorChoices()
  const projects = useAllProjects()
  const field = (name: keyof AuditSearch) => ({
    name,
    value: values[name] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: currentTarget.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply(values)
  }
  return (
    <search className={classes.frame}>
      <form onSubmit={submit} aria-label="Filter the audit log">
        <TextInput
          {...field('q')}
          type="search"
          label="Search"
          description="Names, actions and comments, for example: paused checkout"
          maxLength={200}
          autoComplete="off"
          mb="md"
          maw={480}
        />
        <div className={classes.fields}>
          <TextInput {...field('from')} type="date" label="From" max={values.to ?? ''} />
          <TextInput {...field('to')} type="date" label="Until (inclusive)" min={values.from ?? ''} />
          <NativeSelect
            {...field('actor')}
            label="Who"
            data={withChosen([{ value: '', label: 'Everyone' }, ...actors], values.actor)}
          />
          <NativeSelect
            {...field('action')}
            label="Action"
            data={withChosen([{ value: '', label: 'Every action' }, ...actionChoices], values.action)}
          />
          <NativeSelect
            {...field('objectType')}
            label="Object type"
            data={withChosen([{ value: '', label: 'Every type' }, ...objectChoices], values.objectType)}
          />
          <TextInput {...field('objectId')} label="Object id" spellCheck={false} autoComplete="off" />
          <NativeSelect
            {...field('projectId')}
            label="Project"
            data={withChosen(
              [
                { value: '', label: 'Every project' },
                ...(projects.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ],
              values.projectId,
            )}
          />
        </div>
        <Group gap="xs" mt="md">
          <Button type="submit">Apply</Button>
          <Button variant="default" onClick={() => apply({})}>
            Clear
          </Button>
        </Group>
      </form>
    </search>
  )
}

interface Choice {
  value: string
  label: string
}

type Choices = (Choice | { group: string; items: Choice[] })[]

/** Adds a value from the address that is not among the choices. */
function withChosen(choices: Choices, chosen: string | undefined): Choices {
  const known = choices.flatMap((choice) => ('items' in choice ? choice.items : [choice]))
  return !chosen || known.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label: chosen }]
}

const shownActors = 100

function useActorChoices(): Choices {
  const isAdministrator = useOrganization()?.administrator === true
  const params = { query: { limit: shownActors } }
  const members = server.useQuery('get', '/api/v1/members', { params })
  const tokens = server.useQuery('get', '/api/dashboard/service-tokens', { params }, { enabled: isAdministrator })
  const people = members.data?.data ?? []
  const programs = (tokens.data?.data ?? []).filter(({ replacedBy }) => replacedBy === null)
  return [
    { value: 'system', label: 'The service itself' },
    { group: 'People', items: people.map(({ userId, name }) => ({ value: userId, label: name })) },
    { group: 'Service tokens', items: programs.map(({ id, name }) => ({ value: id, label: name })) },
  ]
}
