import { Stack, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './choices.module.css'

interface ChoicesProps {
  legend: string
  /** The field of the form, by which a summary of its faults finds it. */
  name?: string
  description?: ReactNode
  /** With an error, the first input inside gets the focus. */
  error?: string | undefined
  children: ReactNode
}

/** Several boxes or radio buttons that answer one question. */
export function Choices({ legend, name, description, error, children }: ChoicesProps) {
  const id = useId()
  return (
    <fieldset
      className={classes.frame}
      {...(name !== undefined && { name })}
      data-invalid={error !== undefined}
      aria-describedby={
        [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
      }
    >
      <legend className={classes.legend}>{legend}</legend>
      {description && (
        <Text size="xs" c="dimmed" id={`${id}-description`} component="div">
          {description}
        </Text>
      )}
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" id={`${id}-error`} role="alert">
          {error}
        </Text>
      )}
      <Stack gap="xs" mt="xs">
        {children}
      </Stack>
    </fieldset>
  )
}
