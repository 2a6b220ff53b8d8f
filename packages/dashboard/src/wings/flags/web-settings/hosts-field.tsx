import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { Choices } from '../../../ui/form/choices.tsx'
import classes from './web-settings.module.css'
import { hostInput } from './web-settings.ts'

const maxHosts = 50

interface HostsFieldProps {
  hosts: readonly string[]
  /** `input` is the name of the input that was changed. */
  onChange: (hosts: string[], input?: string) => void
  /** What is wrong with the host in a row. */
  errorOf: (input: string) => string | undefined
  /** What is wrong with the list. */
  error: string | undefined
}

/** The hosts of a site, one in a row. */
export function HostsField({ hosts, onChange, errorOf, error }: HostsFieldProps) {
  const rows = useRef<HTMLDivElement>(null)
  const add = () => {
    onChange([...hosts, ''])
    // The row is there after the next render.
    requestAnimationFrame(() => [...(rows.current?.querySelectorAll('input') ?? [])].at(-1)?.focus())
  }
  return (
    <Choices
      legend="Hosts"
      name="hosts"
      description="Previews, the editor and redirects can only go to these. With *. before it, a host stands for all hosts below it: *.shop.example."
      error={error}
    >
      <div className={classes.rows} ref={rows}>
        {hosts.map((host, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hosts have no identity besides their place
          <div key={at} className={classes.row}>
            <TextInput
              name={hostInput(at)}
              aria-label={`Host ${at + 1}`}
              placeholder="shop.example"
              value={host}
              error={errorOf(hostInput(at))}
              onChange={({ currentTarget: { value } }) => onChange(hosts.with(at, value), hostInput(at))}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={host === '' ? `Remove host ${at + 1}` : `Remove ${host}`}
              onClick={() => onChange(hosts.toSpliced(at, 1))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
        ))}
      </div>
      {hosts.length < maxHosts && (
        <div>
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
            Add host
          </Button>
        </div>
      )}
    </Choices>
  )
}
