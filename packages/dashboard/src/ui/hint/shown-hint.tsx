import { Tooltip } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

interface ShownHintProps {
  id: string
  target: HTMLElement
  label: ReactNode
  hide(): void
}

/** A hint beside its element. Escape hides it (WCAG 1.4.13). */
export function ShownHint({ id, target, label, hide }: ShownHintProps) {
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [hide])
  return <Tooltip opened target={target} label={<span id={id}>{label}</span>} transitionProps={{ duration: 0 }} />
}
