import { PasswordInput } from '@mantine/core'
import type { FieldProps } from '../../../ui/form/form.tsx'

interface PasswordFieldProps extends FieldProps {
  label: string
  description?: string
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
  maw?: number
}

/** A password field that can show its content. Pasting and password managers work. */
export function PasswordField({ label, ...props }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...props}
      label={label}
      // Mantine sets this only on the frame around the input.
      aria-invalid={props.error !== undefined}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': `Show or hide: ${label}` }}
    />
  )
}

/** The rules for a new password, shown before the service has to refuse one. */
export const passwordAdvice = 'At least 8 characters. A longer password is better than a complex one.'
