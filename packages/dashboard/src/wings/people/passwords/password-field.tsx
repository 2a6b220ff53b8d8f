import { PasswordInput } from '@mantine/core'
import type { FieldProps } from '../../../ui/form.tsx'

interface PasswordFieldProps extends FieldProps {
  label: string
  description?: string
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
  maw?: number
}

/** A password that can be shown; pasting and password managers are welcome. */
export function PasswordField({ label, ...props }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...props}
      label={label}
      // Mantine says it of the frame around the input alone.
      aria-invalid={props.error !== undefined}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': `Show or hide: ${label}` }}
    />
  )
}

/** What the service asks of a new password, said before it has to refuse one. */
export const passwordAdvice = 'At least 8 characters. Long is better than complicated.'
