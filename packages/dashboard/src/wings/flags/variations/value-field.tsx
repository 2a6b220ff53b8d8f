import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { ChangeEvent } from 'react'
import type { FlagType } from './new-variations.ts'

interface ValueFieldProps {
  type: FlagType
  name: string
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void
}

/** The value of a variation, as its flag's type needs it. */
export function ValueField({ type, ...field }: ValueFieldProps) {
  if (type === 'BOOLEAN') return <NativeSelect {...field} label="Value" data={['true', 'false']} />
  if (type === 'JSON') return <Textarea {...field} label="Value" autosize minRows={2} maxRows={12} spellCheck={false} />
  return (
    <TextInput
      {...field}
      label="Value"
      autoComplete="off"
      spellCheck={false}
      {...(type === 'NUMBER' && { inputMode: 'decimal' as const })}
    />
  )
}
