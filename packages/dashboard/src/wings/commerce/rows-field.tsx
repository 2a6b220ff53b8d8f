import { ActionIcon, Button, Group } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './rows-field.module.css'

interface RowsFieldProps<Row> {
  /** The name of the list in the form. Its inputs are called `rates.0.key`. */
  name: string
  rows: readonly Row[]
  /** What a new row begins with. */
  empty: Row
  /** The verb and the noun of the button: "Add a rate". */
  add: string
  /** What a row is called when it is removed. */
  nameOf: (row: Row, at: number) => string
  /** `input` is the name of the input that was changed. */
  onChange: (rows: Row[], input?: string) => void
  /** The inputs of a row. */
  children: (row: Row, at: number, change: (part: keyof Row & string, value: string) => void) => ReactNode
}

/** Rows of inputs that a person adds and removes. */
export function RowsField<Row>({ name, rows, empty, add, nameOf, onChange, children }: RowsFieldProps<Row>) {
  const change = (at: number, part: keyof Row & string, value: string) =>
    onChange(
      rows.map((row, place) => (place === at ? { ...row, [part]: value } : row)),
      `${name}.${at}.${part}`,
    )
  return (
    <>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name until one is typed
        <Group key={at} gap="xs" align="flex-start" wrap="nowrap" className={classes.row ?? ''}>
          {children(row, at, (part, value) => change(at, part, value))}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove ${nameOf(row, at)}`}
            onClick={() => onChange(rows.filter((_, place) => place !== at))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onChange([...rows, empty])}
        >
          {add}
        </Button>
      </div>
    </>
  )
}
