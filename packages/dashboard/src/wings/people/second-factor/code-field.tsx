import { TextInput } from '@mantine/core'
import type { FieldProps } from '../../../ui/form/form.tsx'

/** The six digits of an authenticator app. */
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
