import { TextInput } from '@mantine/core'
import type { FieldProps } from '../../../ui/form.tsx'

/** Six digits that change every half minute. */
export function CodeField(field: FieldProps & { autoFocus?: boolean }) {
  return (
    <TextInput
      {...field}
      label="Code"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={7}
      maw={160}
    />
  )
}
