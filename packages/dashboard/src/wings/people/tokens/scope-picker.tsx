import { Checkbox, Group, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Choices } from '../../../ui/choices.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { type ExplainedScope, scopeGroups } from './scope-groups.ts'
import classes from './scope-picker.module.css'

interface ScopePickerProps {
  scopes: readonly ExplainedScope[]
  chosen: readonly string[]
  error: string | undefined
  change: (chosen: string[]) => void
}

/** Every scope with its explanation, grouped by subject. */
export function ScopePicker({ scopes, chosen, error, change }: ScopePickerProps) {
  const [search, setSearch] = useState('')
  const groups = scopeGroups(scopes, search)
  const count = groups.reduce((sum, group) => sum + group.scopes.length, 0)
  return (
    <Choices
      legend="Scopes"
      description={
        chosen.length === 0 ? 'Select only what the program needs.' : `${chosen.length} selected: ${chosen.join(', ')}`
      }
      error={error}
    >
      <TextInput
        type="search"
        aria-label="Search scopes"
        placeholder="Search, for example: flags write"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        maw={480}
      />
      <Text size="xs" c="dimmed" role="status">
        {search.trim() !== '' && (count === 0 ? 'No scope matches.' : `${count} of ${scopes.length} scopes`)}
      </Text>
      <div className={classes.groups}>
        {groups.map(({ family, title, scopes }) => (
          <ScopeFamily key={family} title={title} scopes={scopes} chosen={chosen} change={change} />
        ))}
      </div>
    </Choices>
  )
}

function ScopeFamily({ title, scopes, chosen, change }: Omit<ScopePickerProps, 'error'> & { title: string }) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside a fieldset is read out with both names each time
    <div role="group" aria-labelledby={id} className={classes.family}>
      <div id={id} className={classes.title}>
        {title}
      </div>
      {scopes.map(({ scope, text, ineffective }) => (
        <Checkbox
          key={scope}
          label={
            <Group gap="xs" component="span">
              <code>{scope}</code> {ineffective && <StatusBadge tone="warning">No effect</StatusBadge>}
            </Group>
          }
          description={ineffective ? `${text} No API call needs it yet, so it has no effect.` : text}
          checked={chosen.includes(scope)}
          onChange={(event) =>
            change(event.currentTarget.checked ? [...chosen, scope] : chosen.filter((other) => other !== scope))
          }
        />
      ))}
    </div>
  )
}
