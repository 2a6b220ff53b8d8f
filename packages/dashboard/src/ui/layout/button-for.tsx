import { Button, type ButtonProps } from '@mantine/core'

interface ButtonForProps extends ButtonProps {
  label: string
  /** What it acts on. */
  what: string
  onClick: () => void
}

/**
 * A button whose name says what it acts on, where several have the same label: "Undo: Sticky: no → yes". The name is one
 * text, since a screen reader puts a space between what is visible and what is hidden behind it.
 */
export const ButtonFor = ({ label, what, ...props }: ButtonForProps) => (
  <Button aria-label={`${label}: ${what}`} {...props}>
    {label}
  </Button>
)
